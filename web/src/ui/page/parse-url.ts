/** Parses an address; null where it is none. `URL.parse` and `URL.canParse` are newer than the oldest browsers. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
