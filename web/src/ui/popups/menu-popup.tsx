import { Menu } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useCloseWatcher } from './close-watcher.ts'
import { isFocusOf } from './final-focus.ts'
import type { usePopupTrigger } from './popup-trigger.ts'

/** An entry of a menu: an action, or a page to go to. */
export type MenuChoice = { icon: LucideIcon; text: string } & ({ onChoose: () => void } | { to: string })

type MenuPopupProps = Pick<
  ReturnType<typeof usePopupTrigger>,
  'id' | 'anchor' | 'isOpen' | 'onPopupChange'
> & { heading: readonly [string, string] | undefined; choices: readonly MenuChoice[] }

/** The choices of a menu, beside its button. */
export function MenuPopup({ id, anchor, isOpen, onPopupChange, heading, choices }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  useCloseWatcher(isOpen, () => onPopupChange(false))
  return (
    <Menu.Root open={isOpen} onOpenChange={onPopupChange}>
      {/* A landmark: what is outside of all of them is hard to find with a screen reader. */}
      <Menu.Portal render={<section aria-labelledby={id} />}>
        <Menu.Positioner anchor={anchor} sideOffset={6} align="end" collisionPadding={16} className="z-50">
          <Menu.Popup
            ref={popup}
            aria-labelledby={id}
            finalFocus={() => isFocusOf(popup) && anchor}
            className="min-w-44 origin-(--transform-origin) rounded-lg bg-surface p-1.5 text-ink shadow-lift ring-1 ring-line transition duration-150 outline-none ring-inset data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0"
          >
            {heading && (
              <div className="mb-1.5 max-w-60 border-b border-line px-3 pt-2 pb-3">
                <div dir="auto" className="truncate text-sm font-medium">
                  {heading[0]}
                </div>
                <div dir="auto" className="truncate text-xs text-ink-muted">
                  {heading[1]}
                </div>
              </div>
            )}
            {choices.map((choice) => (
              <Choice key={choice.text} choice={choice} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const choiceLook =
  'flex cursor-default items-center gap-3 rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-raised pointer-coarse:min-h-11'

function Choice({ choice }: { choice: MenuChoice }) {
  const { icon: Icon, text } = choice
  const content = (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-ink-muted" />
      {text}
    </>
  )
  return 'to' in choice ? (
    <Menu.LinkItem closeOnClick render={<Link to={choice.to} />} className={choiceLook}>
      {content}
    </Menu.LinkItem>
  ) : (
    <Menu.Item onClick={choice.onChoose} className={choiceLook}>
      {content}
    </Menu.Item>
  )
}
