import { authClient } from './auth-client.ts'
import { settle, type AuthFailure } from './session.tsx'

/** The calls about the password of an account. Each resolves to null on success and never rejects. */

/** Asks for a mail with a link to set a new password. Succeeds for an address without an account, too. */
export function requestPasswordReset(email: string): Promise<AuthFailure | null> {
  return settle(authClient.requestPasswordReset({ email }))
}

/** Sets a new password with the token of the mailed link. Ends all sessions of the account. */
export function resetPassword(token: string, newPassword: string): Promise<AuthFailure | null> {
  return settle(authClient.resetPassword({ token, newPassword }))
}

/** Changes the password. Ends all other sessions of the account. */
export function changePassword(currentPassword: string, newPassword: string): Promise<AuthFailure | null> {
  return settle(authClient.changePassword({ currentPassword, newPassword }))
}

/** Ends all other sessions of the account. */
export function signOutElsewhere(): Promise<AuthFailure | null> {
  return settle(authClient.revokeOtherSessions())
}

/** Whether a mailed link does not work: it expired, was used, or is not whole. */
export function isUnusableLink({ code }: AuthFailure): boolean {
  return code === 'INVALID_TOKEN'
}
