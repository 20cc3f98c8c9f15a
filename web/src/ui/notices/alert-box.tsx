import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  error: { icon: CircleAlert, className: 'bg-video-soft', iconClassName: 'text-video' },
  warning: { icon: TriangleAlert, className: 'bg-raised', iconClassName: 'text-caution' },
} as const

/** A message within a part of the page; an error is read out at once. */
export function AlertBox({ kind, children }: { kind: keyof typeof looks; children: ReactNode }) {
  const { icon: Icon, className, iconClassName } = looks[kind]
  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className={`flex items-start gap-3 rounded-md p-4 text-sm ${className}`}
    >
      <Icon aria-hidden className={`mt-px size-5 shrink-0 ${iconClassName}`} />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  )
}
