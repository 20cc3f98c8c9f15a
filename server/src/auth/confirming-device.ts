import { APIError, getSessionFromCtx } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import { z } from 'zod'
import { confirmedPage } from './auth-mails.ts'
import type { HookContext } from './confirmation.ts'
import { findGuest } from './new-accounts.ts'
import { authPath } from './session.ts'

/**
 * The browser that waits for the confirmation of an account. Only there the mailed link also signs in: anywhere else
 * it would let its sender sign strangers in to an account of the sender's. (decision 157)
 */

const cookieLifetimeS = 24 * 60 * 60
/** Where the link leads in a browser that is signed in to another account. */
const confirmedOtherPage = '/login?confirmed=other'

const cookieOf = ({ context }: HookContext) =>
  context.createAuthCookie('confirming', { maxAge: cookieLifetimeS, path: authPath })

/** Remembers a browser that signed up, or stated the password of an account that is not confirmed, and its guest. */
export async function rememberConfirmingDevice(context: HookContext): Promise<void> {
  const userId = await findUnconfirmed(context)
  if (userId === null) return
  const { name, attributes } = cookieOf(context)
  const value = `${userId}:${(await findGuest(context)) ?? ''}`
  await context.setSignedCookie(name, value, context.context.secret, attributes)
}

/** The answer to a sign-up with the address of an account has an id, too: one that nobody has. */
const signedUpSchema = z.object({ token: z.null(), user: z.object({ id: z.string() }) })
const emailSchema = z.object({ email: z.string() })

async function findUnconfirmed(call: HookContext): Promise<string | null> {
  const { path, body, context } = call
  const { returned } = context
  if (path === '/sign-in/email') {
    const isUnconfirmed = returned instanceof APIError && returned.body?.code === 'EMAIL_NOT_VERIFIED'
    return isUnconfirmed ? findUser(body, context) : null
  }
  const signedUp = path === '/sign-up/email' ? signedUpSchema.safeParse(returned).data : undefined
  if (!signedUp) return null
  // A second sign-up, made because no mail seems to come, keeps waiting for the first account.
  const { userId } = await readWaiting(call)
  return userId && userId === (await findUser(body, context)) ? null : signedUp.user.id
}

/** The account for which the browser waits, and the guest who made it, if any. */
async function readWaiting(call: HookContext): Promise<{ userId?: string; guestId?: string }> {
  const value = await call.getSignedCookie(cookieOf(call).name, call.context.secret)
  const [userId, guestId] = (value || '').split(':')
  return { userId, guestId }
}

async function findUser(named: unknown, { internalAdapter }: HookContext['context']): Promise<string | null> {
  const { data } = emailSchema.safeParse(named)
  const found = data && (await internalAdapter.findUserByEmail(data.email.toLowerCase()))
  return found?.user.id ?? null
}

/**
 * Lets the link that confirms an account sign in the browser that waits for it; never over the session of an account, nor of
 * another guest than signed up, who would become part of the account.
 */
export async function signInConfirmingDevice(context: HookContext) {
  if (context.path !== '/verify-email') return
  const payload = await verifyJWT(String(context.query?.['token']), context.context.secret)
  const confirmed = await findUser(payload, context.context)
  if (confirmed === null) return
  const user = (await getSessionFromCtx(context, { disableRefresh: true }))?.user
  if (user && user['isAnonymous'] !== true) return user.id === confirmed ? undefined : leadToOther(context)
  const { userId, guestId } = await readWaiting(context)
  if (userId !== confirmed || (user && guestId && guestId !== user.id)) return
  return { context: { context: { options: { emailVerification: { autoSignInAfterVerification: true } } } } }
}

/** The page would welcome the user of the session as if their account had been confirmed. */
function leadToOther({ query }: HookContext) {
  return query?.['callbackURL'] === confirmedPage
    ? { context: { query: { ...query, callbackURL: confirmedOtherPage } } }
    : undefined
}
