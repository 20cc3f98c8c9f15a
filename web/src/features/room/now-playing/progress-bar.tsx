import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { directionOf } from '@earshot/core/protocol/languages'
import { useQuery } from '@tanstack/react-query'
import { language } from '../../../texts/language.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { formatClock } from '../../../ui/music/format-time.ts'
import { SeekSlider } from '../../../ui/controls/seek-slider.tsx'
import { useControlsHint } from '../use-controls-hint.ts'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { callApi } from '../../../api/call-api.ts'

const keyStepMs = 5_000

/** Shows the position; members with the controls can seek (2.23b). `middle` stands between the times. */
export function ProgressBar({ middle }: { middle: ReactNode }) {
  const { positionNow, seek } = useRoomActions()
  const run = useRoomCommand()
  const trackId = useRoomState((state) => state.timeline.trackId)
  const hint = useControlsHint()
  const durationMs = useRoomState((state) => state.timeline.durationMs ?? 0)
  const hasTrack = useRoomState((state) => state.track !== null)
  const waveform = useWaveform()
  const [shownMs, setShownMs] = useState(0)
  const drawing = useRef<HTMLDivElement>(null)
  useTicks(() => {
    const positionMs = positionNow()
    setShownMs(Math.floor(positionMs / 1_000) * 1_000)
    if (drawing.current?.dataset['held'] === undefined) drawShare(drawing.current, positionMs / durationMs)
  })
  return (
    <SeekBar
      trackId={trackId}
      positionMs={hasTrack ? shownMs : null}
      durationMs={hasTrack ? durationMs : 0}
      canSeek={hint === undefined}
      hint={hint}
      onSeek={(positionMs) => run(() => seek(positionMs))}
      middle={middle}
      drawing={drawing}
      waveform={waveform}
    />
  )
}

/** Places the drawn bar; 0 where the duration is unknown. */
function drawShare(element: HTMLElement | null, share: number): void {
  const shown = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
  element?.style.setProperty('--share', shown.toFixed(4))
}

interface SeekBarProps {
  trackId: string | null
  /** Null without a track. */
  positionMs: number | null
  /** 0 where it is unknown. */
  durationMs: number
  canSeek: boolean
  hint?: string
  onSeek: (positionMs: number) => void
  middle?: ReactNode
  /** Drawn in finer steps than `positionMs` by its owner, unless its thumb is held. */
  drawing?: RefObject<HTMLDivElement | null>
  waveform?: readonly number[] | null
}

/** Shows a position, or the one where the thumb is held. */
export function SeekBar(props: SeekBarProps) {
  const { trackId, positionMs, durationMs, canSeek, hint, onSeek, middle, drawing, waveform } = props
  // With the track in which the thumb was taken: where it is held means nothing in the next one.
  const [held, setHeld] = useState<{ trackId: string | null; ms: number } | null>(null)
  const heldMs = held?.trackId === trackId ? held.ms : null
  const isSeekable = canSeek && positionMs !== null && durationMs > 0
  const shownMs = isSeekable ? (heldMs ?? positionMs) : positionMs
  const own = useRef<HTMLDivElement>(null)
  const drawn = drawing ?? own
  useLayoutEffect(() => {
    if (!drawn.current) return
    if (heldMs === null) delete drawn.current.dataset['held']
    else drawn.current.dataset['held'] = ''
    if (heldMs !== null) drawShare(drawn.current, heldMs / durationMs)
  }, [drawn, heldMs, durationMs])
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
        drawing={drawn}
        waveform={waveform}
        onHold={(ms) => setHeld((before) => ({ trackId: before ? before.trackId : trackId, ms }))}
        onCommit={(ms) => {
          setHeld(null)
          if (held === null || held.trackId === trackId) onSeek(ms)
        }}
      />
      <div
        dir="ltr"
        className="flex h-8 items-center justify-between gap-2 text-sm text-ink-muted tabular-nums"
      >
        <span>{elapsed}</span>
        <span dir={directionOf(language)} className="flex min-w-0 justify-center">
          {middle}
        </span>
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
  useTicks(() => {
    if (!line.current || durationMs === 0) return
    const scale = `${Math.min(1, positionNow() / durationMs).toFixed(4)} 1`
    if (line.current.style.scale !== scale) line.current.style.scale = scale
  })
  return (
    <div
      ref={line}
      aria-hidden
      className="absolute inset-x-0 bottom-0 h-0.5 origin-left scale-x-0 bg-brand forced-color-adjust-none"
    />
  )
}

export const tickMs = 250

/** Calls `draw` every 250 ms of a playing room, on the whole seconds too, and after each change of a paused one. */
export function useTicks(draw: () => void): void {
  const { positionNow } = useRoomActions()
  const timeline = useRoomState((state) => state.timeline)
  const drawLatest = useEffectEvent(draw)
  useEffect(() => {
    if (!timeline.isPlaying) drawLatest()
  })
  useEffect(() => {
    if (!timeline.isPlaying) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const loop = () => {
      drawLatest()
      timer = setTimeout(loop, tickMs - (positionNow() % tickMs))
    }
    loop()
    return () => clearTimeout(timer)
  }, [timeline, positionNow])
}

/** The waveform of the room's track; null for one that has none, or whose waveform is not known yet. */
function useWaveform(): readonly number[] | null {
  const track = useRoomState((state) => state.track)
  const trackId = track?.id ?? ''
  const isLibrary = track?.source === 'library'
  // It never changes; one that is not known yet is asked for again with the next track.
  const { data } = useQuery({
    queryKey: ['waveform', trackId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/tracks/:trackId/waveform', { params: { trackId } }, { signal })).peaks,
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    enabled: isLibrary,
  })
  return isLibrary ? (data ?? null) : null
}
