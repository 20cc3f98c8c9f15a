import { type ButtonHTMLAttributes, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { cva, type VariantProps } from 'class-variance-authority'
import { Spinner } from '../loading/spinner.tsx'

/** Class names of a button, also for links. */
export const buttonLook = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-full font-medium whitespace-nowrap transition duration-150 select-none active:scale-[0.98] disabled:cursor-not-allowed disabled:opacity-50 disabled:active:scale-100',
  {
    variants: {
      tone: {
        primary: 'bg-brand text-on-brand hover:bg-brand-strong',
        secondary: 'bg-raised text-ink ring-1 ring-line ring-inset hover:bg-line',
        soft: 'bg-brand-soft text-brand-text hover:bg-brand hover:text-on-brand',
        quiet: 'text-ink-muted hover:bg-raised hover:text-ink',
      },
      size: {
        sm: 'h-9 px-4 text-sm pointer-coarse:h-11',
        md: 'h-11 px-5 text-sm',
        lg: 'h-13 px-7 text-base',
      },
      isWide: { true: 'w-full' },
    },
    defaultVariants: { tone: 'secondary', size: 'md' },
  },
)

interface ButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>, VariantProps<typeof buttonLook> {
  /** Shows a spinner and disables the button. */
  isBusy?: boolean
  className?: string
  children: ReactNode
  ref?: RefObject<HTMLButtonElement | null>
}

export function Button(props: ButtonProps) {
  const { tone, size, isWide, isBusy = false, className, children, ref, ...rest } = props
  const inner = useRef<HTMLButtonElement>(null)
  const own = ref ?? inner
  useKeptFocus(own, isBusy)
  return (
    <button
      type="button"
      {...rest}
      ref={own}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={buttonLook({ tone, size, isWide, class: className })}
    >
      {/* In an element of its own, a text can change though a translating browser has replaced it. */}
      {typeof children === 'string' ? <span>{children}</span> : children}
      {/* Last, so that React inserts it before no text, which a translating browser may have replaced. */}
      {isBusy && <Spinner className="order-first size-4" />}
    </button>
  )
}

/** Gives a button the focus back that browsers take from a disabled one, unless it is elsewhere by then. */
function useKeptFocus(button: RefObject<HTMLButtonElement | null>, isBusy: boolean): void {
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (isBusy) hadFocus.current = document.activeElement === button.current
    else if (hadFocus.current && document.activeElement === document.body) button.current?.focus()
  }, [button, isBusy])
}
