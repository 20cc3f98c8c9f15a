import { limits } from '@earshot/core/limits'
import {
  type ErrorHistory,
  type ErrorSample,
  recentSamples,
  summariseErrors,
} from '@earshot/core/sync/follow/error-history'
import { useEffect, useId, useState } from 'react'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { syncErrorChart as texts } from '../../../texts/diagnosis.ts'
import { wallNow } from '../../../wall-clock.ts'

const size = { width: 240, height: 80 }
/** The shaded band around 0. */
const bandMs = 5

/** Shows this listener's sync error over the last two minutes: figures and a line (2.37e). */
export function ErrorChart({ room }: { room: RoomVisit }) {
  const { history, nowMs } = useErrorHistory(room)
  const titleId = useId()
  const { currentMs, p50Ms, p95Ms, figureCount } = summariseErrors(history)
  const lines = drawErrors(history, nowMs, size)
  const figures = [
    { label: texts.now, value: toText(currentMs) },
    { label: texts.p50, value: toText(p50Ms) },
    { label: texts.p95, value: toText(p95Ms) },
  ]
  const [now = '', p50 = '', p95 = ''] = figures.map(({ value }) => value)
  return (
    <figure aria-labelledby={titleId} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <figcaption id={titleId} className="text-sm font-medium">
          {texts.title}
        </figcaption>
        <dl className="flex flex-wrap gap-x-4 text-sm whitespace-nowrap tabular-nums">
          {figures.map(({ label, value }) => (
            <div key={label} className="flex gap-1.5">
              <dt className="text-ink-muted">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="sr-only">{texts.description(now, p50, p95)}</p>
      <Plot lines={lines} />
      {figureCount === 0 && <p className="mt-1 text-sm text-ink-muted">{texts.empty}</p>}
    </figure>
  )
}

const toText = (errorMs: number | null): string => (errorMs === null ? texts.none : texts.ms(errorMs))

/** Draws the lines. The SVG is stretched to fit, so its labels are HTML and its strokes do not scale. */
function Plot({ lines: { paths, rangeMs } }: { lines: ErrorLines }) {
  const bandHeight = size.height * Math.min(1, bandMs / rangeMs)
  return (
    // Time runs from left to right, as in the player.
    <div dir="ltr" className="grid grid-cols-[auto_1fr] gap-x-2 text-xs text-ink-muted tabular-nums">
      <div aria-hidden className="flex flex-col justify-between text-end">
        <span>{texts.ahead(rangeMs)}</span>
        <span>{texts.zero}</span>
        <span>{texts.behind(rangeMs)}</span>
      </div>
      <svg
        aria-hidden
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        className="h-28 w-full rounded-sm bg-raised"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <rect
          y={(size.height - bandHeight) / 2}
          width={size.width}
          height={bandHeight}
          className="fill-brand-soft"
        />
        <path
          d={`M0 ${size.height / 2}H${size.width}`}
          className="stroke-edge"
          strokeDasharray="3 4"
          vectorEffect="non-scaling-stroke"
        />
        {paths.map((path) => (
          <path
            key={path}
            d={path}
            className="stroke-brand-text"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <div aria-hidden className="col-start-2 mt-1 flex justify-between">
        <span>{texts.start}</span>
        <span>{texts.end}</span>
      </div>
    </div>
  )
}

interface PolledHistory {
  history: ErrorHistory
  /** When it was read, on the client's monotonic wall clock in ms. */
  nowMs: number
}

const pollIntervalMs = 1_000

/** Reads the sync errors of the last minutes once a second while mounted. */
function useErrorHistory(room: RoomVisit): PolledHistory {
  const [polled, setPolled] = useState<PolledHistory>({ history: [], nowMs: 0 })
  useEffect(() => {
    const poll = () => {
      const nowMs = wallNow()
      setPolled({ history: recentSamples(room.errorHistory(), nowMs), nowMs })
    }
    poll()
    const timer = setInterval(poll, pollIntervalMs)
    return () => clearInterval(timer)
  }, [room])
  return polled
}

/** Errors over time as paths in a box of `width` x `height`; an error of 0 is in the middle. */
interface ErrorLines {
  /** Path data, one per stretch without a gap. */
  paths: string[]
  /** The error at the upper edge, in ms; the lower edge is its negative. */
  rangeMs: number
}

/** Samples further apart leave a gap: the page was suspended or its timers throttled. */
const gapMs = 2_500
const ranges = [10, 20, 50, 100, 200, 500, 1_000]

/** Converts the samples of the last two minutes to paths. */
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

/** Draws a single point as a line of length 0, which round line caps turn into a dot. */
function toPath(points: string[]): string {
  const [first = '', ...rest] = points
  return `M${first}${(rest.length > 0 ? rest : [first]).map((point) => `L${point}`).join('')}`
}
