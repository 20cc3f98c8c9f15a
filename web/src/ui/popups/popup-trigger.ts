import {
  cloneElement,
  type KeyboardEvent,
  type KeyboardEventHandler,
  type MouseEventHandler,
  type ReactElement,
  type Ref,
  useId,
  useState,
} from 'react'

/** The props of a button that opens a popup. */
interface TriggerProps {
  ref?: Ref<HTMLButtonElement>
  id?: string
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
  onClick?: MouseEventHandler
  onKeyDown?: KeyboardEventHandler
}
export type Trigger = ReactElement<TriggerProps>

/** For a popup that others open and close, too. */
export interface OpenProps {
  isOpen?: boolean | undefined
  onOpenChange?: ((isOpen: boolean) => void) | undefined
}

/** A part of Base UI's details of a change. */
interface ChangeDetails {
  event: Event
  cancel: () => void
}

/** Makes a button open and close a popup, whose code need not be there yet. */
export function usePopupTrigger(trigger: Trigger, kind: 'menu' | 'dialog', open: OpenProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = open.isOpen ?? isOpenHere
  const setOpen = (next: boolean) => {
    setOpenHere(next)
    open.onOpenChange?.(next)
  }
  const openByArrow = (event: KeyboardEvent) => {
    if (kind !== 'menu' || event.key !== 'ArrowDown') return
    event.preventDefault()
    event.stopPropagation()
    setOpen(true)
  }
  return {
    id,
    anchor,
    isOpen,
    setOpen,
    button: cloneElement(trigger, {
      ref: setAnchor,
      id,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      onClick: () => setOpen(!isOpen),
      onKeyDown: openByArrow,
    }),
    /** Follows the popup, unless it closes because the button is pressed, whose click does that. */
    onPopupChange(next: boolean, details?: ChangeDetails): void {
      const target = details?.event.target
      const isOnButton = target instanceof Node && anchor?.contains(target) === true
      if (!next && isOnButton) details?.cancel()
      else setOpen(next)
    },
  }
}
