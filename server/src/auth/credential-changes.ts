import type { GenericEndpointContext } from 'better-auth'
import { getSessionFromCtx } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { type AuthMailParts, languageOfMail, sendEmailChanged } from './auth-mails.ts'
import type { HookContext } from './confirmation.ts'
import { deleteResetTokens } from './reset-tokens.ts'

/** Consequences of a change of the password or the email address of an account. */

/** Where a link that moves an account to a new address leads without a session of that account. */
const signInFirst = '/login?error=sign_in_first'
/** Where it leads when it is opened again; the library looks for the old address, and finds nobody. */
const emailChanged = '/profile?changed=email'

const emailChangeSchema = z.object({ email: z.string(), updateTo: z.string() })

/**
 * Lets the link that moves an account to a new address work in a session of that account only. The library would sign in
 * whoever opens it, such as the owner of a mistyped address. (decision 133)
 */
export async function requireOwnSession(context: HookContext): Promise<void> {
  if (context.path !== '/verify-email') return
  const payload = await verifyJWT(String(context.query?.['token']), context.context.secret)
  const { data: change } = emailChangeSchema.safeParse(payload)
  if (!change) return
  const email = (await getSessionFromCtx(context))?.user.email
  if (email === change.updateTo) throw context.redirect(emailChanged)
  if (email !== change.email) throw context.redirect(signInFirst)
}

/**
 * Ends other access to an account whose password was changed: its other sessions, and links that were mailed before.
 * Keeps the session that changed it: the library's own option would replace it, and cut off its sockets.
 */
export async function endOtherAccess(db: Db, context: HookContext): Promise<void> {
  if (context.path !== '/change-password' || context.context.returned instanceof Error) return
  const current = await getSessionFromCtx(context)
  if (!current) return
  await deleteResetTokens(db, current.user.id)
  const { internalAdapter } = context.context
  const sessions = await internalAdapter.listSessions(current.user.id)
  const others = sessions.map(({ token }) => token).filter((token) => token !== current.session.token)
  if (others.length > 0) await internalAdapter.deleteSessions(others)
}

/**
 * Returns the library's hook after a change of a user. Of a change of the email, the old address is told; links that it was
 * sent set no password any more.
 */
export function noticeEmailChange(parts: AuthMailParts & { db: Db }) {
  return async ({ id, email }: { id: string; email: string }, context: GenericEndpointContext | null) => {
    // Of the request, so from before the change.
    const before = context?.context.session?.user
    if (before?.id !== id || before.email === email) return
    await deleteResetTokens(parts.db, id)
    const language = languageOfMail(context?.request)
    context?.context.runInBackground(sendEmailChanged(parts, before.email, language))
  }
}
