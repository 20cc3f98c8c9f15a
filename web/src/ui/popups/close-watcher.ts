import { useEffect, useRef } from 'react'

declare global {
  /** TypeScript does not know it yet. */
  class CloseWatcher {
    onclose: (() => void) | null
    destroy(): void
  }
}

/**
 * Closes a popup by the back gesture of Android, which leaves the page otherwise, and what else a device has for closing.
 * Where the browser knows no CloseWatcher, back is back.
 */
export function useCloseWatcher(isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!isOpen || !('CloseWatcher' in window)) return
    const watcher = new CloseWatcher()
    watcher.onclose = () => close.current()
    window.addEventListener('keydown', keepEscape, true)
    return () => {
      window.removeEventListener('keydown', keepEscape, true)
      watcher.destroy()
    }
  }, [isOpen])
}

/** The popups close by that key themselves: the browser would close the next one with them. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.preventDefault()
}
