import { useId, type ReactNode } from 'react'
import { joinClasses } from './class-names.ts'

interface CardProps {
  title: string
  /** Whether the title is read out only, where something else on the screen names the card. */
  isTitleHidden?: boolean
  /** Beside the title: a count, a status. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A titled part of a page, as a region labelled by its title. */
export function Card({ title, isTitleHidden = false, aside, className, children }: CardProps) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={titleId}
      className={joinClasses(
        'flex min-w-0 flex-col rounded-xl bg-surface p-5 ring-1 ring-line ring-inset',
        className,
      )}
    >
      <header
        className={
          isTitleHidden
            ? 'sr-only'
            : 'mb-4 flex min-h-7 shrink-0 flex-wrap items-center justify-between gap-x-3 gap-y-1'
        }
      >
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
