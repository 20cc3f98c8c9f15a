export type PageEvent = 'hidden' | 'visible' | 'online'

/**
 * Tells when the page is hidden, seen again, or has a network again. A page that is left is hidden at the very end,
 * too: that is not told. Returns what stops it.
 */
export function watchPage(onEvent: (event: PageEvent) => void): () => void {
  let isLeaving = false
  const onVisibility = () => {
    if (!isLeaving) onEvent(document.hidden ? 'hidden' : 'visible')
  }
  const onPageHide = () => {
    isLeaving = true
  }
  const onPageShow = () => {
    isLeaving = false
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
