import type { ReactNode } from 'react'

interface StageNoticeProps {
  icon: ReactNode
  title: string
  text: string
  /** Its buttons. */
  children?: ReactNode
}

/** A notice in the live region of the stage, with what can be done about it. It lies over the cover, so nothing moves. */
export function StageNotice({ icon, title, text, children }: StageNoticeProps) {
  return (
    <div className="flex animate-appear flex-wrap items-center gap-3 rounded-xl bg-surface p-4 text-start shadow-lift ring-1 ring-line ring-inset">
      <span className="shrink-0 text-caution *:size-5">{icon}</span>
      <span className="min-w-44 flex-1 text-sm">
        <span className="block font-medium">{title}</span>
        <span className="block text-ink-muted">{text}</span>
      </span>
      {children}
    </div>
  )
}
