import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

const looks = {
  field: { box: 'h-12 w-full rounded-md bg-page ps-4 pe-12 text-base ring-edge', arrow: 'end-4 size-5' },
  small: {
    box: 'h-9 rounded-full bg-raised ps-3.5 pe-9 text-sm text-ink ring-line pointer-coarse:h-11',
    arrow: 'end-3 size-4',
  },
}

/** A native select, which opens as the device's lists do; its arrow stands where the page's other icons do. */
export function Select({ size = 'field', ...select }: { size?: keyof typeof looks } & SelectProps) {
  const { box, arrow } = looks[size]
  return (
    <span className="relative block">
      <select {...select} className={`appearance-none ring-1 ring-inset ${box}`} />
      <ChevronDown
        aria-hidden
        className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-muted ${arrow}`}
      />
    </span>
  )
}

type SelectProps = Omit<ComponentProps<'select'>, 'className' | 'size'>
