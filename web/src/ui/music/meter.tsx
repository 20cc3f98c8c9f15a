import { useId } from 'react'

interface MeterProps {
  label: string
  value: number
  max: number
  /** The value in words, beside the label. */
  text: string
  hint?: string
}

/** A bar that shows how much of a limited amount is used; red when nothing is left. */
export function Meter({ label, value, max, text, hint }: MeterProps) {
  const labelId = useId()
  const share = Math.min(1, value / max)
  return (
    <div>
      <p className="flex justify-between gap-3 text-sm">
        <span id={labelId}>{label}</span>
        <span className="text-ink-muted">{text}</span>
      </p>
      <meter className="sr-only" aria-labelledby={labelId} aria-valuetext={text} max={max} value={value}>
        {text}
      </meter>
      <div
        aria-hidden
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-raised forced-color-adjust-none"
      >
        <div
          style={{ width: `${share * 100}%` }}
          className={`h-full rounded-full ${share < 1 ? 'bg-brand' : 'bg-video'}`}
        />
      </div>
      {hint !== undefined && <p className="mt-1.5 text-xs text-ink-muted">{hint}</p>}
    </div>
  )
}
