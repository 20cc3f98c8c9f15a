import { createHash } from 'node:crypto'
import { readSignedCookies } from './read-session.ts'

/** Returns the key under which the requests of a session are counted, from its `Cookie` header; null without a session. */
export type SessionKeyOf = (cookies: string | undefined) => string | null

/** The prefix of all cookies of sign-in. */
export const authCookiePrefix = 'earshot'
/** Returns the name that the sign-in library gives its cookie. `isSecure`: browsers reach the server by https only. */
export const sessionCookieName = (isSecure: boolean): string =>
  `${isSecure ? '__Secure-' : ''}${authCookiePrefix}.session_token`
const sessionCookies = [sessionCookieName(false), sessionCookieName(true)]

/** Trusts the signature alone, as a limit must cost less than the query it saves: the session may have ended. */
export function createSessionKeys(secret: string): SessionKeyOf {
  return (cookies) => {
    if (cookies === undefined) return null
    for (const name of sessionCookies) {
      const [token] = readSignedCookies(cookies, { name, secret })
      if (token !== undefined) return createHash('sha256').update(token).digest('base64url')
    }
    return null
  }
}
