/** A cookie of a request. Its value is as sent: still encoded. */
interface Cookie {
  name: string
  value: string
}

/** Parses a `Cookie` header. A value without a name gets an empty one. */
export function listCookies(header = ''): Cookie[] {
  return header.split(';').map((each) => {
    const pair = each.trim()
    const at = pair.indexOf('=')
    return { name: pair.slice(0, Math.max(0, at)).trim(), value: pair.slice(at + 1).trim() }
  })
}

/** Returns the value of the first cookie of a name. */
export function findCookie(header: string | undefined, name: string): string | null {
  return listCookies(header).find((cookie) => cookie.name === name)?.value ?? null
}
