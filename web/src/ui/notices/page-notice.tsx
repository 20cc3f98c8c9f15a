import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface PageNoticeProps {
  icon: LucideIcon
  title: string
  text: string
  /** Interrupts screen readers with the text. */
  isAlert?: boolean
  /** The next step for the user. */
  children: ReactNode
}

/** Fills a page that has nothing else to show, such as a room that does not exist. */
export function PageNotice({ icon: Icon, title, text, isAlert = false, children }: PageNoticeProps) {
  return (
    <section className="mx-auto flex min-h-[70dvh] max-w-104 flex-col items-center justify-center gap-6 px-4 py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-surface text-ink-muted ring-1 ring-line ring-inset">
        <Icon aria-hidden className="size-7" />
      </span>
      <div>
        <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
        <p role={isAlert ? 'alert' : undefined} className="mt-2 text-balance text-ink-muted">
          {text}
        </p>
      </div>
      {children}
    </section>
  )
}
