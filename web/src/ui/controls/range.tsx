import { useEffect, useRef } from 'react'

interface RangeProps {
  label: string
  /** From 0. */
  max: number
  step: number
  value: number
  valueText: string
  /** Called while dragging, and after an arrow key. */
  onInput: (value: number) => void
}

/** A slider, the native one for keyboard, touch and screen reader support. */
export function Range({ label, max, step, value, valueText, onInput }: RangeProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.style.setProperty('--fill', String(value / max)), [value, max])
  return (
    <input
      ref={input}
      type="range"
      dir="ltr"
      aria-label={label}
      aria-valuetext={valueText}
      min={0}
      max={max}
      step={step}
      value={value}
      onChange={(event) => onInput(Number(event.currentTarget.value))}
      className="range-input block cursor-pointer"
    />
  )
}
