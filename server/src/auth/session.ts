/** The parts of sign-in that the rest of the server uses. They load without the sign-in library. */

/** A signed-in user. */
export interface SessionUser {
  id: string
  /** Empty for a guest. */
  email: string
  /** Of the account; the page shows it to its own user. */
  name: string
  /** Of the profile, as the picture; the other members see them. */
  username: string
  avatarUrl: string | null
  /** Without an account. */
  isGuest: boolean
  isAdmin: boolean
}

export interface Session {
  id: string
  user: SessionUser
}

/**
 * Resolves the session of a request from its `Cookie` header; null where there is none or it has ended. It is read anew
 * each time, so it ends at once in all processes. `beforeRead` gets the token of a cookie that is signed, and may throw.
 */
export type ResolveSession = (
  cookies: string | undefined,
  beforeRead?: (token: string) => Promise<void>,
) => Promise<Session | null>

/** Checks the password of an account; `none`: it has no password, for example because it signs in with Google. */
export type CheckPassword = (userId: string, password: string) => Promise<'right' | 'wrong' | 'none'>

/** Creates a link with which a user sets a new password, once and until it expires (ms since the epoch). */
export type CreateResetLink = (userId: string) => Promise<{ link: string; expiresAt: number }>

/** The path under which the sign-in library is served. */
export const authPath = '/api/auth'

/** Carries the client's address to the sign-in library; a value that a client sends is overwritten. */
export const clientAddressHeader = 'x-earshot-client-address'

/** Carries an invite to the server through a sign-in at Google. */
export const inviteCookie = 'earshot.invite'

/** Returns the part of an email before the @ sign: the default name of an account. */
export function emailName(email: string): string {
  return email.split('@')[0] || email
}
