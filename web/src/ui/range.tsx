import { useEffect, useRef, type KeyboardEvent, type Ref } from 'react'
import { joinClasses } from './class-names.ts'

interface RangeProps {
  label: string
  /** To move the thumb without React, write `value` and `--fill` on this element. */
  ref?: Ref<HTMLInputElement>
  min?: number
  max: number
  step: number
  /** How far an arrow key moves the thumb, if not by one step. */
  keyStep?: number
  /** Omitted if the value is written through the ref. */
  value?: number
  valueText?: string
  isDisabled?: boolean
  hint?: string
  className?: string
  /** Called while dragging. */
  onInput?: (value: number) => void
  /** Called on release, and after an arrow key. */
  onCommit?: (value: number) => void
}

const arrows: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }

/** A slider, based on the native one for keyboard, touch and screen reader support. */
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
