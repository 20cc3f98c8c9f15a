import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { nowPlaying } from '../../../texts.ts'
import { formatClock } from '../../../ui/format-time.ts'
import { Range } from '../../../ui/range.tsx'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

const keyStepMs = 5_000

/** Shows the position, written to the DOM each frame without a React render; the owner can seek (2.23b). */
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
  const canSeek = isOwner && hasTrack && durationMs !== null
  const commit = (positionMs: number) => {
    setHeldMs(null)
    run(() => seek(positionMs))
  }
  return (
    <div>
      <Range
        ref={input}
        label={nowPlaying.position}
        max={durationMs ?? 1}
        step={1}
        keyStep={keyStepMs}
        isDisabled={!canSeek}
        hint={isOwner ? undefined : nowPlaying.ownerControls(ownerName)}
        onInput={setHeldMs}
        onCommit={commit}
      />
      <div className="mt-1 flex justify-between text-sm text-ink-muted tabular-nums">
        <span ref={elapsed}>{nowPlaying.unknownTime}</span>
        <span>{formatDuration(hasTrack ? durationMs : null)}</span>
      </div>
    </div>
  )
}

/** Shows the position as a thin line without controls. */
export function ProgressLine() {
  const { positionNow } = useRoomActions()
  const durationMs = useRoomState((state) => state.timeline.durationMs)
  const line = useRef<HTMLDivElement>(null)
  useFrames(() => {
    if (!line.current || durationMs === null) return
    const scale = `${Math.min(1, positionNow() / durationMs).toFixed(4)} 1`
    if (line.current.style.scale !== scale) line.current.style.scale = scale
  })
  return (
    <div
      ref={line}
      aria-hidden
      className="absolute inset-x-0 bottom-0 h-0.5 origin-left scale-x-0 bg-brand"
    />
  )
}

interface Elements {
  input: HTMLInputElement | null
  elapsed?: HTMLElement | null
}

interface Position {
  /** Null without a track. */
  positionMs: number | null
  /** Null where it is unknown. */
  durationMs: number | null
  /** Whether the thumb is being dragged, so that its value must not be overwritten. */
  isHeld: boolean
}

// Finer than a pixel on any screen, yet most frames change nothing.
const fillSteps = 4_000

/** Writes a position to the elements that show it; skips what has not changed. */
export function drawPosition(
  { input, elapsed }: Elements,
  { positionMs, durationMs, isHeld }: Position,
): void {
  const text = positionMs === null ? nowPlaying.unknownTime : formatClock(positionMs)
  if (elapsed && elapsed.textContent !== text) elapsed.textContent = text
  if (!input) return
  const shownMs = Math.min(positionMs ?? 0, durationMs ?? 0)
  const fill = durationMs === null ? 0 : Math.round((shownMs / durationMs) * fillSteps) / fillSteps
  if (input.style.getPropertyValue('--fill') !== String(fill)) {
    input.style.setProperty('--fill', String(fill))
    if (!isHeld) input.value = String(shownMs)
  }
  const spoken = nowPlaying.positionText(text, formatDuration(durationMs))
  if (input.getAttribute('aria-valuetext') !== spoken) input.setAttribute('aria-valuetext', spoken)
}

const formatDuration = (durationMs: number | null): string =>
  durationMs === null ? nowPlaying.unknownTime : formatClock(durationMs)

/** Calls `draw` before each frame of a playing room while the page is visible, and after each change of a paused one. */
function useFrames(draw: () => void): void {
  const { isPlaying } = useRoomState((state) => state.timeline)
  const drawLatest = useEffectEvent(draw)
  useEffect(() => {
    if (!isPlaying) drawLatest()
  })
  useEffect(() => {
    if (!isPlaying) return
    let frame = 0
    const loop = () => {
      drawLatest()
      frame = requestAnimationFrame(loop)
    }
    loop()
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])
}
