import { nowPlaying } from '../../../texts.ts'
import { formatClock } from '../../../ui/format-time.ts'

interface Elements {
  input: HTMLInputElement | null
  elapsed?: HTMLElement | null
}

interface Position {
  /** Null without a track. */
  positionMs: number | null
  /** 0 where it is unknown. */
  durationMs: number
  /** The thumb is being dragged: it is where the hand holds it. */
  isHeld: boolean
}

// Finer than a pixel on any screen, coarse enough to leave most frames untouched.
const fillSteps = 4_000

/** Writes a position on the elements that show it, as far as something changed. */
export function drawPosition(
  { input, elapsed }: Elements,
  { positionMs, durationMs, isHeld }: Position,
): void {
  const text = positionMs === null ? nowPlaying.unknownTime : formatClock(positionMs)
  if (elapsed && elapsed.textContent !== text) elapsed.textContent = text
  if (!input) return
  const shownMs = durationMs > 0 ? Math.min(positionMs ?? 0, durationMs) : 0
  const fill = durationMs > 0 ? Math.round((shownMs / durationMs) * fillSteps) / fillSteps : 0
  if (input.style.getPropertyValue('--fill') !== String(fill)) {
    input.style.setProperty('--fill', String(fill))
    if (!isHeld) input.value = String(shownMs)
  }
  const spoken = nowPlaying.positionText(
    text,
    durationMs > 0 ? formatClock(durationMs) : nowPlaying.unknownTime,
  )
  if (input.getAttribute('aria-valuetext') !== spoken) input.setAttribute('aria-valuetext', spoken)
}
