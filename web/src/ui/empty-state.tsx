import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  text?: string | false
  /** Actions for the next step. */
  children?: ReactNode
  className?: string
}

/** Explains why a list is empty and what to do next. */
export function EmptyState({ icon: Icon, title, text, children, className = 'py-8' }: EmptyStateProps) {
  return (
    <div className={`flex flex-col items-center justify-center px-4 text-center ${className}`}>
      <span className="mb-4 grid size-12 shrink-0 place-items-center rounded-full bg-raised text-ink-muted">
        <Icon aria-hidden className="size-5.5" />
      </span>
      <p className="font-medium text-ink">{title}</p>
      {text && <p className="mt-1 max-w-72 text-sm text-balance text-ink-muted">{text}</p>}
      {children !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  )
}
