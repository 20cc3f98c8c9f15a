import { Menu } from '@base-ui/react/menu'
import type { MenuChoice } from './menu.tsx'
import type { usePopupTrigger } from './popup-trigger.ts'

type MenuPopupProps = Pick<
  ReturnType<typeof usePopupTrigger>,
  'id' | 'anchor' | 'isOpen' | 'onPopupChange'
> & { choices: readonly MenuChoice[] }

/** The choices of a menu, beside its button. */
export function MenuPopup({ id, anchor, isOpen, onPopupChange, choices }: MenuPopupProps) {
  return (
    <Menu.Root open={isOpen} onOpenChange={onPopupChange}>
      {/* A landmark: what is outside of all of them is hard to find with a screen reader. */}
      <Menu.Portal render={<section aria-labelledby={id} />}>
        <Menu.Positioner anchor={anchor} sideOffset={6} align="end" collisionPadding={16} className="z-50">
          <Menu.Popup
            aria-labelledby={id}
            finalFocus={() => anchor}
            className="min-w-44 origin-(--transform-origin) rounded-lg bg-surface p-1.5 text-ink shadow-lift ring-1 ring-line transition duration-150 outline-none ring-inset data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0"
          >
            {choices.map(({ icon: Icon, text, onChoose }) => (
              <Menu.Item
                key={text}
                onClick={onChoose}
                className="flex cursor-default items-center gap-3 rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-raised pointer-coarse:min-h-11"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-ink-muted" />
                {text}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
