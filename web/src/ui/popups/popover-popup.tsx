import { Popover } from '@base-ui/react/popover'
import type { ReactNode } from 'react'
import { useCloseWatcher } from './close-watcher.ts'
import type { usePopupTrigger } from './popup-trigger.ts'

type PopoverPopupProps = Pick<ReturnType<typeof usePopupTrigger>, 'anchor' | 'isOpen' | 'onPopupChange'> & {
  title: string
  isTitleHidden: boolean
  children: ReactNode
}

/** The content of a popover, beside its button; the button may state another distance in px. */
export function PopoverPopup(props: PopoverPopupProps) {
  const { title, isTitleHidden, anchor, isOpen, onPopupChange, children } = props
  useCloseWatcher(isOpen, () => onPopupChange(false))
  return (
    <Popover.Root open={isOpen} onOpenChange={onPopupChange}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          // Where the page scrolls, as when a phone is turned, it stays on the screen.
          positionMethod="fixed"
          sideOffset={Number(anchor?.dataset['gap'] ?? 8)}
          align="end"
          collisionPadding={16}
          className="z-40"
        >
          <Popover.Popup
            finalFocus={() => anchor}
            className="max-h-(--available-height) w-[min(21rem,calc(100vw-2rem))] origin-(--transform-origin) overflow-y-auto rounded-xl bg-surface p-5 text-ink shadow-lift ring-1 ring-line transition duration-150 outline-none ring-inset data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0"
          >
            <Popover.Title className={isTitleHidden ? 'sr-only' : 'text-lg font-semibold wrap-anywhere'}>
              {title}
            </Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
