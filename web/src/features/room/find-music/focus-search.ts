/** The id of the field. */
export const musicSearchId = 'music-search'

/** Dispatched on `window` so that a layout which hides the search in a tab can open it. */
export const openSearchEventName = 'earshot:open-search'

/** Opens the music search and focuses its field. */
export function focusMusicSearch(): void {
  window.dispatchEvent(new Event(openSearchEventName))
  document.getElementById(musicSearchId)?.focus()
}
