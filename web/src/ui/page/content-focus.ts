import { useEffect, useRef } from 'react'

/** The id of the page's content. */
export const contentId = 'content'

/** Moves the focus to the start of the content. */
export function focusContent(): void {
  document.getElementById(contentId)?.focus({ preventScroll: true })
}

/**
 * Moves the focus to the start of the content where what had it went away with the screen before. `screen` differs for
 * each of the screens that a page shows at the same address.
 */
export function useFocusOnNewScreen(screen: string): void {
  const focused = useRef<EventTarget | null>(null)
  const previous = useRef(screen)
  useEffect(() => {
    focused.current = document.activeElement
    const remember = ({ target }: FocusEvent) => void (focused.current = target)
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useEffect(() => {
    if (previous.current === screen) return
    previous.current = screen
    const { current } = focused
    const isGone = current instanceof Element && !current.isConnected
    if (isGone && document.activeElement === document.body) focusContent()
  }, [screen])
}
