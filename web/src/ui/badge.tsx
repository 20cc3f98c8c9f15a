import type { ReactNode } from 'react'
import { cva, type VariantProps } from 'class-variance-authority'

const look = cva(
  'inline-flex items-center gap-1.5 rounded-full font-medium whitespace-nowrap [&>svg]:size-3.5',
  {
    variants: {
      tone: {
        neutral: 'bg-raised text-ink-muted',
        brand: 'bg-brand-soft text-brand-text',
        video: 'bg-video-soft text-video',
      },
      size: { sm: 'h-6 px-2.5 text-xs', md: 'h-8 px-3.5 text-sm' },
    },
    defaultVariants: { tone: 'neutral', size: 'sm' },
  },
)

interface BadgeProps extends VariantProps<typeof look> {
  children: ReactNode
  title?: string
  className?: string
}

export function Badge({ tone, size, title, className, children }: BadgeProps) {
  return (
    <span title={title} className={look({ tone, size, class: className })}>
      {children}
    </span>
  )
}
