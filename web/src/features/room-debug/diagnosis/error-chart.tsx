import { summariseErrors } from '@earshot/core/sync/follow/error-history'
import { useId } from 'react'
import { syncErrorChart as texts } from '../../../texts.ts'
import { drawErrors, type ErrorLines } from './error-lines.ts'
import { useErrorHistory } from './use-error-history.ts'

const size = { width: 240, height: 80 }
/** What counts as in sync, to the eye. */
const bandMs = 5

/** This listener's sync error over the last minutes: figures and a line (2.37e). */
export function ErrorChart() {
  const { history, nowMs } = useErrorHistory()
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
        <dl className="flex gap-4 text-sm tabular-nums">
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

/** The box is stretched to whatever room there is; lines keep their width, and the words stand beside it. */
function Plot({ lines: { paths, rangeMs } }: { lines: ErrorLines }) {
  const bandHeight = size.height * Math.min(1, bandMs / rangeMs)
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2 text-xs text-ink-muted tabular-nums">
      <div aria-hidden className="flex flex-col justify-between text-right">
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
