import { useEffect, useRef, type KeyboardEvent, type Ref } from 'react'
import { joinClasses } from './class-names.ts'

interface RangeProps {
  label: string
  /** Who moves the thumb without React (a clock) writes `value` and `--fill` on this element. */
  ref?: Ref<HTMLInputElement>
  min?: number
  max: number
  step: number
  /** How far an arrow key moves it, where that is more than a step. */
  keyStep?: number
  /** Left out where the value is written through the ref. */
  value?: number
  valueText?: string
  isDisabled?: boolean
  hint?: string
  className?: string
  /** While it is being dragged. */
  onInput?: (value: number) => void
  /** When it was let go, or moved by a key. */
  onCommit?: (value: number) => void
}

const arrows: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }

/** A slider: the browser's own, so keys, touch and screen readers work as everywhere. */
export function Range(props: RangeProps) {
  const { label, ref, min = 0, max, step, keyStep, value, valueText, isDisabled, hint, className } = props
  const { onInput, onCommit } = props
  const own = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const input = own.current
    if (!input || value === undefined) return
    input.value = String(value)
    input.style.setProperty('--fill', String(max > min ? (value - min) / (max - min) : 0))
  }, [value, min, max])
  useEffect(() => {
    const input = own.current
    if (!input || !onCommit) return
    const commit = () => onCommit(Number(input.value))
    input.addEventListener('change', commit)
    return () => input.removeEventListener('change', commit)
  }, [onCommit])
  const moveByKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = keyStep === undefined ? undefined : arrows[event.key]
    if (keyStep === undefined || direction === undefined) return
    event.preventDefault()
    event.currentTarget.value = String(Number(event.currentTarget.value) + direction * keyStep)
    onCommit?.(Number(event.currentTarget.value))
  }
  return (
    <input
      ref={(element) => {
        own.current = element
        if (typeof ref === 'function') return ref(element)
        if (ref) ref.current = element
      }}
      type="range"
      aria-label={label}
      aria-valuetext={valueText}
      title={hint}
      min={min}
      max={max}
      step={step}
      defaultValue={value ?? min}
      disabled={isDisabled}
      onKeyDown={moveByKey}
      onInput={(event) => onInput?.(Number(event.currentTarget.value))}
      className={joinClasses('range-input', isDisabled ? 'cursor-not-allowed' : 'cursor-pointer', className)}
    />
  )
}
