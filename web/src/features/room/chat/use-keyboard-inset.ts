import { useEffect, useState, type RefObject } from 'react'

/**
 * Returns how many px of a panel the on-screen keyboard covers while something in the panel has the focus. Browsers move
 * the keyboard over the page without resizing it.
 */
export function useKeyboardInset(panel: RefObject<HTMLElement | null>): number {
  const [insetPx, setInsetPx] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const measure = () => {
      const element = panel.current
      const isTyping = element?.contains(document.activeElement) ?? false
      const visibleBottom = viewport.offsetTop + viewport.height
      const coveredPx = element ? element.getBoundingClientRect().bottom - visibleBottom : 0
      setInsetPx(isTyping && viewport.scale === 1 ? Math.max(0, Math.round(coveredPx)) : 0)
    }
    const events = ['resize', 'scroll'] as const
    for (const name of events) viewport.addEventListener(name, measure)
    const element = panel.current
    element?.addEventListener('focusout', measure)
    return () => {
      for (const name of events) viewport.removeEventListener(name, measure)
      element?.removeEventListener('focusout', measure)
    }
  }, [panel])
  return insetPx
}
