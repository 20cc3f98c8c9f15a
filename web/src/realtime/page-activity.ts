import { readStored, writeStored } from '../storage.ts'

export type PageEvent = 'hidden' | 'visible' | 'online'

/**
 * Watches for the page being hidden or visible again, and for the network coming back. Ignores the `hidden` of a page
 * that is being left; one that the browser kept, and shows again when its user goes back, is visible again. Returns a
 * function that stops it.
 */
export function watchPage(onEvent: (event: PageEvent) => void): () => void {
  let isLeaving = false
  const onVisibility = () => {
    if (!isLeaving) onEvent(document.hidden ? 'hidden' : 'visible')
  }
  const onPageHide = () => {
    isLeaving = true
  }
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    isLeaving = false
    // Its connection was closed when it was left, and browsers change its visibility before this.
    if (persisted && !document.hidden) onEvent('visible')
  }
  const onOnline = () => onEvent('online')
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('pagehide', onPageHide)
  window.addEventListener('pageshow', onPageShow)
  window.addEventListener('online', onOnline)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', onPageHide)
    window.removeEventListener('pageshow', onPageShow)
    window.removeEventListener('online', onOnline)
  }
}

// public/early-socket.js reads it too.
const inactiveSinceKey = 'inactiveSince:v1'

/** Reads since when this tab was inactive, as marked by the page loaded before (4.6). Wall clock, ms; null if unmarked. */
export function readInactiveSince(): number | null {
  const text = readStored('tab', inactiveSinceKey)
  const atMs = text === null ? NaN : Number(text)
  return Number.isFinite(atMs) ? atMs : null
}

/** Marks this tab as inactive since a time of the wall clock, in ms, for the page that is loaded next (4.6). */
export function markInactive(atMs: number): void {
  writeStored('tab', inactiveSinceKey, String(atMs))
}

/** Removes the mark of a tab that is active again. */
export function clearInactiveMark(): void {
  writeStored('tab', inactiveSinceKey, null)
}
