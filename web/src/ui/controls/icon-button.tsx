import type { ComponentProps, MouseEvent } from 'react'
import { cva, type VariantProps } from 'class-variance-authority'

const look = cva(
  'inline-flex shrink-0 items-center justify-center rounded-full transition duration-150 select-none active:scale-95 aria-disabled:cursor-not-allowed aria-disabled:opacity-45 aria-disabled:active:scale-100',
  {
    variants: {
      tone: {
        primary: 'bg-brand text-on-brand not-aria-disabled:hover:bg-brand-strong',
        quiet: 'text-ink-muted not-aria-disabled:hover:bg-raised not-aria-disabled:hover:text-ink',
        plain: 'text-ink not-aria-disabled:hover:bg-line',
      },
      size: {
        sm: 'size-9 pointer-coarse:size-11 [&>svg]:size-4.5',
        md: 'size-11 [&>svg]:size-5',
        lg: 'size-13 [&>svg]:size-6',
      },
    },
    defaultVariants: { tone: 'quiet', size: 'md' },
  },
)

interface IconButtonProps
  extends Omit<ComponentProps<'button'>, 'className' | 'disabled' | 'aria-label'>, VariantProps<typeof look> {
  /** The accessible name. */
  label: string
  /** Ignores clicks but stays focusable, so that its tooltip can explain why. */
  isDisabled?: boolean
  className?: string
}

/** A round button with an icon. */
export function IconButton({ label, isDisabled = false, tone, size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? preventDefault : rest.onClick}
      className={look({ tone, size, class: className })}
    />
  )
}

function preventDefault(event: MouseEvent): void {
  event.preventDefault()
}
