import { useRef, useState } from 'react'
import { nowPlaying } from '../../../texts.ts'
import { formatClock } from '../../../ui/format-time.ts'
import { Range } from '../../../ui/range.tsx'
import { drawPosition } from './draw-position.ts'
import { useFrames } from './use-frames.ts'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

const keyStepMs = 5_000

/** Where the track is, drawn once a frame without React; the owner can seek in it (2.23b). */
export function ProgressBar() {
  const { positionNow, seek } = useRoomActions()
  const run = useRoomCommand()
  const hasTrack = useRoomState((state) => state.track !== null)
  const isOwner = useRoomState((state) => state.isOwner)
  const ownerName = useRoomState((state) => state.room?.owner.username ?? '')
  const durationMs = useRoomState((state) => state.timeline.durationMs)
  const [heldMs, setHeldMs] = useState<number | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const elapsed = useRef<HTMLSpanElement>(null)
  useFrames(() => {
    const positionMs = hasTrack ? (heldMs ?? positionNow()) : null
    drawPosition(
      { input: input.current, elapsed: elapsed.current },
      { positionMs, durationMs, isHeld: heldMs !== null },
    )
  })
  const canSeek = isOwner && hasTrack && durationMs > 0
  const commit = (positionMs: number) => {
    setHeldMs(null)
    run(() => seek(positionMs))
  }
  return (
    <div>
      <Range
        ref={input}
        label={nowPlaying.position}
        max={Math.max(durationMs, 1)}
        step={1}
        keyStep={keyStepMs}
        isDisabled={!canSeek}
        hint={isOwner ? undefined : nowPlaying.ownerControls(ownerName)}
        onInput={setHeldMs}
        onCommit={commit}
      />
      <div className="mt-1 flex justify-between text-sm text-ink-muted tabular-nums">
        <span ref={elapsed}>{nowPlaying.unknownTime}</span>
        <span>{hasTrack && durationMs > 0 ? formatClock(durationMs) : nowPlaying.unknownTime}</span>
      </div>
    </div>
  )
}
