export const musicSearchId = 'music-search'

/** What opens the search where it is folded away (a tab on a phone) listens for this event of `window`. */
export const openSearchEventName = 'earshot:open-search'

/** Puts the cursor into the music search, wherever the page keeps it. */
export function focusMusicSearch(): void {
  window.dispatchEvent(new Event(openSearchEventName))
  document.getElementById(musicSearchId)?.focus()
}
