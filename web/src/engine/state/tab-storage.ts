/** JSON values in the tab's session storage. Keys carry a version, because a newer page may read an older value. */

/** Returns a stored value, or null. Its shape is that of the key's version. */
export function readTabItem<Value>(key: string): Value | null {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? null : (JSON.parse(text) as Value)
  } catch {
    return null
  }
}

/** Stores a value; null removes it. Without effect where storage is full or forbidden: a reload then forgets it. */
export function writeTabItem(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full or forbidden.
  }
}
