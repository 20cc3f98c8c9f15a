import type { ComponentProps, ReactNode } from 'react'
import { joinClasses } from '../class-names.ts'
import { IconButton } from './icon-button.tsx'

interface LineFieldProps extends Omit<ComponentProps<'input'>, 'aria-label'> {
  /** The accessible name; not visible. */
  label: string
  submit: { label: string; icon: ReactNode; isDisabled?: boolean }
}

/** A text field with its submit button inside. */
export function LineField({ label, submit, className, ...rest }: LineFieldProps) {
  return (
    <div className="relative">
      <input
        {...rest}
        aria-label={label}
        autoComplete="off"
        className={joinClasses(
          'h-11 w-full rounded-full bg-page ps-4.5 pe-12 text-sm ring-1 ring-edge transition-shadow outline-none ring-inset placeholder:text-ink-muted focus-visible:ring-2 focus-visible:ring-brand-text',
          className,
        )}
      />
      <IconButton
        size="sm"
        type="submit"
        label={submit.label}
        title={submit.label}
        isDisabled={submit.isDisabled ?? false}
        className="absolute end-1 top-1 pointer-coarse:end-0 pointer-coarse:top-0"
      >
        {submit.icon}
      </IconButton>
    </div>
  )
}
