import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

interface TooltipProps {
  text: string
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** The element to describe. */
  children: ReactElement
}

/** A tooltip on hover and focus. It does not replace the element's accessible name. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner side={side} sideOffset={8} className="z-50">
          <BaseTooltip.Popup className="max-w-64 origin-(--transform-origin) rounded-sm bg-ink px-2.5 py-1.5 text-xs text-page shadow-lift transition duration-100 data-ending-style:scale-95 data-ending-style:opacity-0 data-starting-style:scale-95 data-starting-style:opacity-0">
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}
