import type { ReactNode } from 'react'
import { partOnDemand } from '../loading/part-on-demand.tsx'
import { type OpenProps, type Trigger, usePopupTrigger } from './popup-trigger.ts'

const PopoverPopup = partOnDemand(async () => (await import('./popover-popup.tsx')).PopoverPopup, {
  isPopup: true,
})

interface PopoverProps extends OpenProps {
  title: string
  /** For a content that shows a title of its own. */
  isTitleHidden?: boolean
  /** The button that opens it. */
  trigger: Trigger
  children: ReactNode
}

/** A popover beside its button; Escape and a click elsewhere close it, and the focus returns to the button. */
export function Popover({ title, isTitleHidden = false, trigger, children, ...open }: PopoverProps) {
  const { button, setOpen, ...popup } = usePopupTrigger(trigger, 'dialog', open)
  return (
    <>
      {button}
      <PopoverPopup
        isWanted={popup.isOpen}
        onGivenUp={() => setOpen(false)}
        title={title}
        isTitleHidden={isTitleHidden}
        {...popup}
      >
        {children}
      </PopoverPopup>
    </>
  )
}
