import { type FocusEvent, useRef } from 'react'
import { focusContent } from '../page/content-focus.ts'

/** Returns the focus from a notice that was closed by keyboard to where it was before, or else to the page's content. */
export function useReturnedFocus() {
  const before = useRef<Element | null>(null)
  return {
    onFocus: ({ target, relatedTarget, currentTarget }: FocusEvent) => {
      if (currentTarget.contains(relatedTarget)) return
      // With a pointer, the focus would open the keyboard of a phone again.
      before.current = target.matches(':focus-visible') ? (relatedTarget ?? document.body) : null
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
      if (relatedTarget && !currentTarget.contains(relatedTarget)) before.current = null
    },
    /** To be called when a notice has gone. */
    returnFocus: () => {
      const place = before.current
      if (place === null || document.activeElement !== document.body) return
      before.current = null
      if (place instanceof HTMLElement && place !== document.body && place.isConnected)
        place.focus({ preventScroll: true })
      if (document.activeElement === document.body) focusContent()
    },
  }
}
