import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import { type ReactElement, useId } from 'react'

export interface MenuChoice {
  icon: LucideIcon
  text: string
  onChoose: () => void
}

interface MenuProps {
  trigger: ReactElement
  choices: readonly MenuChoice[]
  /** For a menu that others open and close, too. */
  isOpen?: boolean | undefined
  onOpenChange?: ((isOpen: boolean) => void) | undefined
}

/** A menu that opens from its button. Arrow keys move, Escape closes, and the focus returns to the button. */
export function Menu({ trigger, choices, isOpen, onOpenChange }: MenuProps) {
  const triggerId = useId()
  return (
    <BaseMenu.Root {...(isOpen === undefined ? {} : { open: isOpen })} onOpenChange={onOpenChange}>
      <BaseMenu.Trigger id={triggerId} render={trigger} />
      {/* A landmark: what is outside of all of them is hard to find with a screen reader. */}
      <BaseMenu.Portal render={<section aria-labelledby={triggerId} />}>
        <BaseMenu.Positioner sideOffset={6} align="end" collisionPadding={16} className="z-50">
          <BaseMenu.Popup className="min-w-44 origin-(--transform-origin) rounded-lg bg-surface p-1.5 text-ink shadow-lift ring-1 ring-line transition duration-150 outline-none ring-inset data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0">
            {choices.map(({ icon: Icon, text, onChoose }) => (
              <BaseMenu.Item
                key={text}
                onClick={onChoose}
                className="flex cursor-default items-center gap-3 rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-raised pointer-coarse:min-h-11"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-ink-muted" />
                {text}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}
