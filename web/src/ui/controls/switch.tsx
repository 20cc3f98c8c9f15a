import { useId } from 'react'

interface SwitchProps {
  label: string
  hint: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** A setting that is on or off, the native checkbox in the look of a switch. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="mt-1 text-sm text-pretty text-ink-muted">
          {hint}
        </p>
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="relative mt-0.5 h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full bg-raised ring-1 ring-edge transition-colors forced-color-adjust-none ring-inset before:absolute before:start-1 before:top-1 before:size-5 before:rounded-full before:bg-ink-muted before:transition-transform checked:bg-brand checked:ring-brand checked:before:translate-x-5 checked:before:bg-on-brand rtl:checked:before:-translate-x-5 pointer-coarse:after:absolute pointer-coarse:after:-inset-2"
      />
    </div>
  )
}
