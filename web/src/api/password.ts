import { AppError } from '@earshot/core/protocol/errors'
import { queryOptions } from '@tanstack/react-query'
import { loadAuthClient } from './auth-client.ts'
import { settle, type AuthFailure } from './sign-in.ts'

/** The calls about the password of an account. Each resolves to null on success and never rejects. */

/** Asks for a mail with a link to set a new password. Succeeds for an address without an account, too. */
export function requestPasswordReset(email: string): Promise<AuthFailure | null> {
  return settle((client) => client.requestPasswordReset({ email }))
}

/** Sets a new password with the token of the mailed link. Ends all sessions of the account. */
export function resetPassword(token: string, newPassword: string): Promise<AuthFailure | null> {
  return settle((client) => client.resetPassword({ token, newPassword }))
}

/** Changes the password. Ends all other sessions of the account. */
export function changePassword(currentPassword: string, newPassword: string): Promise<AuthFailure | null> {
  return settle((client) => client.changePassword({ currentPassword, newPassword }))
}

/** Ends all other sessions of the account. */
export function signOutElsewhere(): Promise<AuthFailure | null> {
  return settle((client) => client.revokeOtherSessions())
}

/** Changes the email address; where mail is set up, by a link to the new one. */
export function changeEmail(newEmail: string, password: string): Promise<AuthFailure | null> {
  const request = { newEmail, password, callbackURL: '/profile?changed=email' }
  return settle((client) => client.changeEmail(request))
}

/** A session of the signed-in user. */
export interface OwnSession {
  token: string
  userAgent: string | null
  ipAddress: string | null
  createdAtMs: number
  isHere: boolean
}

export const ownSessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async (): Promise<OwnSession[]> => {
    const client = await loadAuthClient()
    const [{ data, error }, current] = await Promise.all([client.listSessions(), client.getSession()])
    // Without the current one, its own session would be offered for ending.
    if (error || !current.data) throw new AppError('unavailable', error?.message)
    const here = current.data.session.token
    return data.map(({ token, userAgent, ipAddress, createdAt }) => ({
      token,
      userAgent: userAgent ?? null,
      ipAddress: ipAddress ?? null,
      createdAtMs: new Date(createdAt).getTime(),
      isHere: token === here,
    }))
  },
  staleTime: 0,
})

/** Ends one session of the account. */
export function endSession(token: string): Promise<AuthFailure | null> {
  return settle((client) => client.revokeSession({ token }))
}

/** Whether a mailed link does not work: it expired, was used, or is not whole. */
export function isUnusableLink({ code }: AuthFailure): boolean {
  return code === 'INVALID_TOKEN'
}
