import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Whether a popup that closes has the focus, or nothing has it. Elsewhere it stays, such as on the page that a choice
 * led to.
 */
export function isFocusOf(popup: RefObject<HTMLElement | null>): boolean {
  const { activeElement, body } = document
  return activeElement === body || popup.current?.contains(activeElement) === true
}

/** Returns what gets the focus when a dialog closes: what had it before or, where that is gone, what was around it. */
export function useFinalFocus(isOpen: boolean, popup: RefObject<HTMLElement | null>) {
  const places = useRef<(Element | null | undefined)[]>([])
  useLayoutEffect(() => {
    const { activeElement } = document
    if (isOpen) places.current = [activeElement, activeElement?.parentElement?.closest('[tabindex]')]
  }, [isOpen])
  return (): HTMLElement | boolean => {
    if (!isFocusOf(popup)) return false
    const place = places.current.find((each) => each?.isConnected)
    return place instanceof HTMLElement && place !== document.body ? place : true
  }
}
