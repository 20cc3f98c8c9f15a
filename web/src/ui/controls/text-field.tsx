import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id' | 'size'> {
  label: string
  hint?: string
  error?: string | null
  /** An element at the end of the field, such as a button. */
  trailing?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A labelled text field with a hint or an error below it. */
export function TextField({ label, hint, error = null, trailing, ref, ...input }: TextFieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div>
      <label htmlFor={id} className="mb-2 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          ref={ref}
          id={id}
          aria-invalid={error !== null || undefined}
          aria-describedby={note === undefined ? undefined : noteId}
          className={`h-12 w-full rounded-md bg-page px-4 text-base ring-1 ring-edge transition-shadow outline-none ring-inset placeholder:text-ink-muted focus-visible:ring-2 focus-visible:ring-brand-text aria-invalid:ring-video ${trailing === undefined ? '' : 'pe-13'}`}
        />
        {trailing !== undefined && (
          <div className="absolute inset-y-0 end-1.5 flex items-center">{trailing}</div>
        )}
      </div>
      {note !== undefined && (
        <p id={noteId} className={`mt-2 text-sm ${error === null ? 'text-ink-muted' : 'text-video'}`}>
          {note}
        </p>
      )}
    </div>
  )
}
