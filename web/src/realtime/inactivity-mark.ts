/** Since when this tab is inactive, kept for the page that is loaded after this one (4.6). Instants in ms. */

const key = 'inactive-since'

export function readInactiveSince(): number | null {
  const text = attempt(() => sessionStorage.getItem(key))
  const atMs = text === null ? NaN : Number(text)
  return Number.isFinite(atMs) ? atMs : null
}

export function markInactive(atMs: number): void {
  attempt(() => {
    sessionStorage.setItem(key, String(atMs))
    return null
  })
}

export function clearInactiveMark(): void {
  attempt(() => {
    sessionStorage.removeItem(key)
    return null
  })
}

/** Where storage is forbidden there is no mark. */
function attempt(run: () => string | null): string | null {
  try {
    return run()
  } catch {
    return null
  }
}
