const address = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi
const query = /[?#][^\s"'<>]*[=&][^\s"'<>]*/g
const email = /[^\s@"'<>:/]+@[^\s@"'<>]+\.[^\s@"'<>]+/g
const named =
  /\b((?:set-)?cookie|authorization|bearer|password|passwd|secret|(?:[a-z]+[_-])?token|(?:api|client)[_-]?key|session(?:[_-]?id)?|user[_-]?id)\b(["']?\s*[:=]\s*|\s+(?=[\w+/=.-]{16}))("[^"]*"|'[^']*'|[^\n]*)/gi

/**
 * A text without what must not be passed on: of addresses nothing but server and path, no e-mail addresses, and
 * nothing that is said to be a cookie, a token, a password, a key or somebody's id.
 */
export function redact(text: string): string {
  return text
    .replace(address, toPublicAddress)
    .replace(query, '')
    .replace(email, '[e-mail]')
    .replace(named, (_match, name: string) => `${name}: [removed]`)
}

function toPublicAddress(text: string): string {
  if (!URL.canParse(text)) return '[address]'
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
