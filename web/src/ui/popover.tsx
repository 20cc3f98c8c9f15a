import { Popover as BasePopover } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

interface PopoverProps {
  title: string
  /** For a content that shows a title of its own. */
  isTitleHidden?: boolean
  /** For a popover that others open and close, too. */
  isOpen?: boolean | undefined
  onOpenChange?: ((isOpen: boolean) => void) | undefined
  /** The button that opens it. */
  trigger: ReactElement
  children: ReactNode
}

/** A popover beside its button; Escape and a click elsewhere close it, and the focus returns to the button. */
export function Popover(props: PopoverProps) {
  const { title, isTitleHidden = false, isOpen, onOpenChange, trigger, children } = props
  return (
    <BasePopover.Root {...(isOpen === undefined ? {} : { open: isOpen })} onOpenChange={onOpenChange}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={8} align="end" collisionPadding={16} className="z-40">
          <BasePopover.Popup className="max-h-(--available-height) w-[min(21rem,calc(100vw-2rem))] origin-(--transform-origin) overflow-y-auto rounded-xl bg-surface p-5 text-ink shadow-lift ring-1 ring-line transition duration-150 outline-none ring-inset data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0">
            <BasePopover.Title className={isTitleHidden ? 'sr-only' : 'text-lg font-semibold'}>
              {title}
            </BasePopover.Title>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
