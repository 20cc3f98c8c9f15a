import type { LucideIcon } from 'lucide-react'
import { codeOnDemand } from './code-on-demand.ts'
import { type OpenProps, type Trigger, usePopupTrigger } from './popup-trigger.ts'

const usePopup = codeOnDemand(async () => (await import('./menu-popup.tsx')).MenuPopup)

export interface MenuChoice {
  icon: LucideIcon
  text: string
  onChoose: () => void
}

interface MenuProps extends OpenProps {
  trigger: Trigger
  choices: readonly MenuChoice[]
}

/** A menu that opens from its button. Arrow keys move, Escape closes, and the focus returns to the button. */
export function Menu({ trigger, choices, ...open }: MenuProps) {
  const { button, setOpen, ...popup } = usePopupTrigger(trigger, 'menu', open)
  const Popup = usePopup(popup.wasOpen, () => setOpen(false))
  return (
    <>
      {button}
      {Popup && <Popup choices={choices} {...popup} />}
    </>
  )
}
