import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { formatClock } from '../../../ui/format-time.ts'
import { SeekSlider } from '../../../ui/seek-slider.tsx'
import { useControlsHint } from '../use-controls-hint.ts'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

const keyStepMs = 5_000

/** Shows the position; who has the controls can seek (2.23b). `middle` stands between the times. */
export function ProgressBar({ middle }: { middle: ReactNode }) {
  const { positionNow, seek } = useRoomActions()
  const run = useRoomCommand()
  const trackId = useRoomState((state) => state.timeline.trackId)
  const hint = useControlsHint()
  const durationMs = useRoomState((state) => state.timeline.durationMs ?? 0)
  const hasTrack = useRoomState((state) => state.track !== null)
  const [shownMs, setShownMs] = useState(0)
  useFrames(() => setShownMs(toDrawnStep(positionNow(), durationMs)))
  return (
    <SeekBar
      // A new track is not where the last one was held.
      key={trackId}
      positionMs={hasTrack ? shownMs : null}
      durationMs={hasTrack ? durationMs : 0}
      canSeek={hint === undefined}
      hint={hint}
      onSeek={(positionMs) => run(() => seek(positionMs))}
      middle={middle}
    />
  )
}

/** Shares of the duration that differ by less than a pixel. */
const drawnSteps = 1_000
const stepsPerSecondMin = 4
const stepsPerSecondMax = 60

/** Rounds a position down to what can be told apart on screen, so that most frames change nothing. Keeps whole seconds. */
function toDrawnStep(positionMs: number, durationMs: number): number {
  const wanted = durationMs > 0 ? Math.ceil((1_000 * drawnSteps) / durationMs) : stepsPerSecondMin
  const perSecond = Math.min(stepsPerSecondMax, Math.max(stepsPerSecondMin, wanted))
  return Math.floor((Math.floor((positionMs * perSecond) / 1_000) * 1_000) / perSecond)
}

interface SeekBarProps {
  /** Null without a track. */
  positionMs: number | null
  /** 0 where it is unknown. */
  durationMs: number
  canSeek: boolean
  hint?: string
  onSeek: (positionMs: number) => void
  middle?: ReactNode
}

/** Shows a position, or the one where the thumb is held. */
export function SeekBar({ positionMs, durationMs, canSeek, hint, onSeek, middle }: SeekBarProps) {
  const [heldMs, setHeldMs] = useState<number | null>(null)
  const isSeekable = canSeek && positionMs !== null && durationMs > 0
  const shownMs = isSeekable ? (heldMs ?? positionMs) : positionMs
  const duration = durationMs > 0 ? formatClock(durationMs) : nowPlaying.unknownTime
  const elapsed = shownMs === null ? nowPlaying.unknownTime : formatClock(shownMs)
  return (
    <div>
      <SeekSlider
        label={nowPlaying.position}
        value={Math.min(shownMs ?? 0, durationMs)}
        max={Math.max(durationMs, 1)}
        keyStep={keyStepMs}
        describe={() => nowPlaying.positionText(elapsed, duration)}
        isDisabled={!isSeekable}
        hint={hint}
        onHold={setHeldMs}
        onCommit={(heldUntilMs) => {
          setHeldMs(null)
          onSeek(heldUntilMs)
        }}
      />
      <div className="flex h-8 items-center justify-between gap-2 text-sm text-ink-muted tabular-nums">
        <span>{elapsed}</span>
        <span className="flex min-w-0 justify-center">{middle}</span>
        <span>{duration}</span>
      </div>
    </div>
  )
}

/** Shows the position as a thin line without controls. */
export function ProgressLine() {
  const { positionNow } = useRoomActions()
  const durationMs = useRoomState((state) => state.timeline.durationMs ?? 0)
  const line = useRef<HTMLDivElement>(null)
  useFrames(() => {
    if (!line.current || durationMs === 0) return
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
