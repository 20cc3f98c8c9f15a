/** Storage on the device or for the tab. Nothing else of the page uses the browser's. */

/** Carries a version: a later format gets another one, because a newer page may find an older value. */
export type StorageKey = `${string}:v${number}` | `${string}:v${number}:${string}`

// Functions, because a browser may refuse already the access.
const areas = { device: () => localStorage, tab: () => sessionStorage }
type Area = keyof typeof areas

/** Returns a stored text; null without one, and where storage is forbidden. */
export function readStored(area: Area, key: StorageKey): string | null {
  try {
    return areas[area]().getItem(key)
  } catch {
    return null
  }
}

/** Stores a text; null removes it. Returns false where storage is full or forbidden: the page forgets it when it is left. */
export function writeStored(area: Area, key: StorageKey, text: string | null): boolean {
  try {
    if (text === null) areas[area]().removeItem(key)
    else areas[area]().setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Returns a stored JSON value, or null. Its shape is that of the key's version. */
export function readStoredJson<Value>(area: Area, key: StorageKey): Value | null {
  try {
    return JSON.parse(readStored(area, key) ?? 'null') as Value | null
  } catch {
    return null
  }
}

/** Stores a value as JSON; null removes it. */
export const writeStoredJson = (area: Area, key: StorageKey, value: unknown): boolean =>
  writeStored(area, key, value === null ? null : JSON.stringify(value))
