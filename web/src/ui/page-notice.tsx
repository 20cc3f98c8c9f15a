import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface PageNoticeProps {
  icon: LucideIcon
  title: string
  text: string
  /** Whether the text is read out as soon as it comes. */
  isAlert?: boolean
  /** The next step. */
  children: ReactNode
}

/** A page that says why there is nothing else on it, and what to do next. */
export function PageNotice({ icon: Icon, title, text, isAlert = false, children }: PageNoticeProps) {
  return (
    <section className="mx-auto flex min-h-[70dvh] max-w-104 flex-col items-center justify-center px-4 py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-surface text-ink-muted ring-1 ring-line ring-inset">
        <Icon aria-hidden className="size-7" />
      </span>
      <h1 className="mt-6 text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
      <p role={isAlert ? 'alert' : undefined} className="mt-2 text-balance text-ink-muted">
        {text}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">{children}</div>
    </section>
  )
}
