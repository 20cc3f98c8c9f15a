import { partOnDemand } from '../loading/part-on-demand.tsx'
import type { MenuChoice } from './menu-popup.tsx'
import { type OpenProps, type Trigger, usePopupTrigger } from './popup-trigger.ts'

const MenuPopup = partOnDemand(async () => (await import('./menu-popup.tsx')).MenuPopup, {
  isPopup: true,
})

interface MenuProps extends OpenProps {
  trigger: Trigger
  /** Two lines above the choices. */
  heading?: readonly [string, string]
  choices: readonly MenuChoice[]
}

/** A menu that opens from its button. Arrow keys move, Escape closes, and the focus returns to the button. */
export function Menu({ trigger, heading, choices, ...open }: MenuProps) {
  const { button, setOpen, ...popup } = usePopupTrigger(trigger, 'menu', open)
  return (
    <>
      {button}
      <MenuPopup
        isWanted={popup.isOpen}
        onGivenUp={() => setOpen(false)}
        heading={heading}
        choices={choices}
        {...popup}
      />
    </>
  )
}
