import { limits } from '@earshot/core/limits'
import type { ErrorHistory, ErrorSample } from '@earshot/core/sync/follow/error-history'

/** A drawing of errors over time in a box of `width` x `height`: the room's own time is the line in its middle. */
export interface ErrorLines {
  /** Path data, one for each stretch without a gap. */
  paths: string[]
  /** What the upper edge stands for; the lower one is as far below 0. In ms. */
  rangeMs: number
}

/** Turns that are further apart leave a gap: the page slept, or its timers were slowed down. */
const gapMs = 2_500
const ranges = [10, 20, 50, 100, 200, 500, 1_000]

export function drawErrors(
  history: ErrorHistory,
  nowMs: number,
  size: { width: number; height: number },
): ErrorLines {
  const largestMs = Math.max(0, ...history.map(({ errorMs }) => Math.abs(errorMs ?? 0)))
  const rangeMs = ranges.find((range) => range >= largestMs) ?? ranges.at(-1) ?? largestMs
  const toPoint = ({ atMs, errorMs }: Figure): string => {
    const x = size.width * (1 - (nowMs - atMs) / limits.errorHistoryMs)
    const bounded = Math.max(-rangeMs, Math.min(rangeMs, errorMs))
    const y = (size.height / 2) * (1 - bounded / rangeMs)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  return { rangeMs, paths: splitAtGaps(history).map((stretch) => toPath(stretch.map(toPoint))) }
}

interface Figure extends ErrorSample {
  errorMs: number
}

function splitAtGaps(history: ErrorHistory): Figure[][] {
  const stretches: Figure[][] = []
  let current: Figure[] = []
  for (const sample of history) {
    const { atMs, errorMs } = sample
    const latest = current.at(-1)
    if (errorMs === null || (latest && atMs - latest.atMs > gapMs)) current = []
    if (errorMs === null) continue
    if (current.length === 0) stretches.push(current)
    current.push({ ...sample, errorMs })
  }
  return stretches
}

/** A single point becomes a line of no length, which round ends make a dot. */
function toPath(points: string[]): string {
  const [first = '', ...rest] = points
  return `M${first}${(rest.length > 0 ? rest : [first]).map((point) => `L${point}`).join('')}`
}
