import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'

interface TooltipPopupProps {
  text: string
  side: 'top' | 'bottom' | 'left' | 'right'
  anchor: Element | null
  onClose: () => void
}

/** The text of a tooltip beside its element; Escape closes it. */
export function TooltipPopup({ text, side, anchor, onClose }: TooltipPopupProps) {
  return (
    <BaseTooltip.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner anchor={anchor} side={side} sideOffset={8} className="z-50">
          <BaseTooltip.Popup className="max-w-64 origin-(--transform-origin) animate-appear rounded-sm bg-ink px-2.5 py-1.5 text-xs text-page shadow-lift">
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}
