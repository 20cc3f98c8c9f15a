import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { admin } from 'better-auth/plugins'
import { createAccessControl } from 'better-auth/plugins/access'
import type { Logger } from 'pino'
import { hashInTurn } from '../crypto/password-work.ts'
import { newToken } from '../crypto/tokens.ts'
import type { SignUpRule } from '../accounts/sign-up-rule.ts'
import { type Db, engineOf } from '../db/database.ts'
import type { EventBus } from '../events.ts'
import { newId } from '../ids.ts'
import type { Mailer } from '../mail/mailer.ts'
import {
  isChangeOfEmail,
  languageOfMail,
  resetLink,
  sendConfirmation,
  sendExistingAccount,
  sendPasswordReset,
} from './auth-mails.ts'
import type { TakeMailPoint } from '../limits/mail-rate-limit.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { authLogOptions } from './auth-log.ts'
import { callHooks } from './call-hooks.ts'
import { confirmationFields } from './confirmation.ts'
import { noticeEmailChange } from './credential-changes.ts'
import { newAccountHooks } from './new-accounts.ts'
import {
  authPath,
  clientAddressHeader,
  type CheckPassword,
  type CreateResetLink,
  type ResolveSession,
  type Session,
} from './session.ts'
import { guestPlugin, type TakeGuestPoint } from './guest-plugin.ts'
import { authCookiePrefix } from './session-key.ts'
import { findSession, keepSignedCookie, readSignedCookies } from './read-session.ts'
import { deleteResetTokens } from './reset-tokens.ts'
import { endSurplusSessions } from './session-limit.ts'
import { startSweeping } from './sweep.ts'

const sessionLifetimeS = 30 * 24 * 60 * 60
/** A session in use is renewed at most this often. */
const sessionRenewalS = 24 * 60 * 60
/** How long a mailed link can set a new password. */
const resetLifetimeS = 60 * 60
const resetTokenBytes = 18

export interface AuthLibraryParts {
  db: Db
  clock: Clock
  logger: Logger
  mailer: Mailer
  secret: string
  /** The server's address for browsers: scheme and host of links and cookies. */
  publicUrl: string
  /** Whether browsers reach the server by https only. */
  isSecure: boolean
  /** Whether an account must be confirmed by mail before it can sign in. */
  mustConfirm: boolean
  google: { clientId: string; clientSecret: string } | null
  isOriginAllowed: (origin: string | null, headers: Headers) => boolean
  events: EventBus
  /** Counts a new guest against the limits of an address. */
  takeGuestPoint: TakeGuestPoint
  takeMailPoint: TakeMailPoint
  signUpRule: SignUpRule
  securityLog: SecurityLog
}

/** A request to a path under `authPath`. */
interface AuthRequest {
  method: string
  /** With the query. */
  path: string
  headers: Headers
  /** JSON, or null without a body. */
  body: string | null
}

export interface AuthLibrary {
  handle: (request: AuthRequest) => Promise<Response>
  resolveSession: ResolveSession
  checkPassword: CheckPassword
  /** Creates a link with which a user sets a new password. */
  createResetLink: CreateResetLink
  /** Waits for background tasks such as mails. */
  close(): Promise<void>
}

type RunInBackground = (task: Promise<unknown>) => void

/** Sets up the sign-in library on our database. Sessions are stored nowhere else, so signing out ends one at once. */
export function openAuthLibrary(parts: AuthLibraryParts): AuthLibrary {
  const background = new Set<Promise<unknown>>()
  const runInBackground: RunInBackground = (task) => {
    const settled = task.catch(() => {}).finally(() => background.delete(settled))
    background.add(settled)
  }
  const library = betterAuth(toOptions(parts, runInBackground))
  const stopSweeping = startSweeping(parts)
  // On its first request the library checks the tables, which is slow. This one saves users the wait.
  runInBackground(library.handler(new Request(new URL(`${authPath}/ok`, parts.publicUrl))))
  const readTokens = async (cookies: string): Promise<{ name: string; tokens: string[] }> => {
    const { secret, authCookies } = await library.$context
    const { name } = authCookies.sessionToken
    return { name, tokens: readSignedCookies(cookies, { name, secret }) }
  }
  /** Finds the session of the cookies, and ends it where its time is over. */
  const findLive = async (cookies: string, { name, tokens }: { name: string; tokens: string[] }) => {
    const found = await findCurrent(parts.db, tokens)
    if (found?.session !== 'expired') return found
    // The library deletes it, and tells who waits for that. It must not renew it: that takes a new cookie.
    await library.api.getSession({
      headers: new Headers({ cookie: keepSignedCookie(cookies, { name, value: found.token }) }),
      query: { disableRefresh: true },
    })
    return null
  }
  return {
    async handle(request) {
      const cookies = request.headers.get('cookie') ?? ''
      const read = await readTokens(cookies)
      const value = (await findLive(cookies, read))?.token ?? null
      // The library reads the first of several session cookies. One that has ended it clears, and with it a new one.
      if (cookies !== '' && (value !== null || !request.path.startsWith(`${authPath}/get-session`))) {
        request.headers.set('cookie', keepSignedCookie(cookies, { name: read.name, value }))
      }
      return library.handler(toFetchRequest(request, parts.publicUrl))
    },
    async resolveSession(cookies = '', beforeRead) {
      const read = await readTokens(cookies)
      for (const token of read.tokens) await beforeRead?.(token)
      return (await findLive(cookies, read))?.session ?? null
    },
    async checkPassword(userId, password) {
      const context = await library.$context
      const account = await context.internalAdapter.findCredentialAccount(userId)
      if (!account?.password) return 'none'
      const isRight = await context.password.verify({ hash: account.password, password })
      return isRight ? 'right' : 'wrong'
    },
    async createResetLink(userId) {
      const token = newToken(resetTokenBytes)
      const expiresAt = new Date(Date.now() + resetLifetimeS * 1_000)
      const { internalAdapter } = await library.$context
      const identifier = `reset-password:${token}`
      await internalAdapter.createVerificationValue({ value: userId, identifier, expiresAt })
      return { link: resetLink(parts.publicUrl, token), expiresAt: expiresAt.getTime() }
    },
    async close() {
      await stopSweeping()
      await Promise.all(background)
    },
  }
}

/** Finds the first session that has not ended; else one that is expired and still stored. */
async function findCurrent(
  db: Db,
  tokens: readonly string[],
): Promise<{ token: string; session: Session } | { token: string; session: 'expired' } | null> {
  let expired: { token: string; session: 'expired' } | null = null
  for (const token of tokens) {
    const session = await findSession(db, token)
    if (session === 'expired') expired ??= { token, session }
    else if (session) return { token, session }
  }
  return expired
}

const noPermissions = createAccessControl({ user: ['list'] }).newRole({ user: [] })

/**
 * Keeps roles and disabled users, whose sign-in it refuses. No role has a permission, so all of its calls are refused,
 * such as impersonation: our own calls check, limit and log what an administrator does.
 */
const rolesPlugin = admin({
  roles: { user: noPermissions, admin: noPermissions },
  bannedUserMessage: new AppError('account_disabled').message,
})

function toFetchRequest({ method, path, headers, body }: AuthRequest, publicUrl: string): Request {
  // The library rejects cookies without an origin. Our own origin rule has already admitted the request.
  if (!headers.has('origin')) headers.set('origin', publicUrl)
  return new Request(new URL(path, publicUrl), { method, headers, body })
}

function toOptions(parts: AuthLibraryParts, runInBackground: RunInBackground): BetterAuthOptions {
  const { db, events, logger, mustConfirm, publicUrl, secret } = parts
  return {
    appName: 'Earshot',
    baseURL: publicUrl,
    basePath: authPath,
    secret,
    database: { db, type: engineOf(db) },
    ...emailOptions(parts),
    // A copy of the database sets no passwords.
    verification: { storeIdentifier: 'hashed' },
    socialProviders: parts.google ? { google: parts.google } : {},
    session: {
      expiresIn: sessionLifetimeS,
      updateAge: sessionRenewalS,
      // A cached session would stay valid after signing out.
      cookieCache: { enabled: false },
    },
    user: {
      changeEmail: { enabled: true, updateEmailWithoutVerification: !mustConfirm },
      additionalFields: confirmationFields(mustConfirm),
    },
    databaseHooks: {
      user: { create: newAccountHooks(parts), update: { after: noticeEmailChange(parts) } },
      account: { create: { before: discardTokens }, update: { before: discardTokens } },
      session: {
        create: { after: endSurplusSessions(db) },
        delete: {
          after: (session) => events.emit('sessionEnded', { sessionId: session.id, isRemote: false }),
        },
      },
    },
    plugins: [rolesPlugin, guestPlugin(parts)],
    hooks: callHooks(db),
    trustedOrigins: (request) => listTrustedOrigins(parts, request),
    // The server counts requests itself, for the whole API.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    ...authLogOptions(logger),
    advanced: {
      cookiePrefix: authCookiePrefix,
      useSecureCookies: parts.isSecure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // Of more sessions than this, a new password would end only some.
      database: { generateId: () => newId(), defaultFindManyLimit: 10_000 },
      backgroundTasks: { handler: runInBackground },
      // Explicit, because the library disables both checks by default while tests run.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  }
}

/** Hashing composes a password, which takes seconds for thousands of marks. None that is set is longer. */
const truncate = (password: string): string => password.slice(0, limits.accountPasswordMaxLength + 1)

/** Returns the options of passwords, and of mails about them. */
function emailOptions(
  parts: AuthLibraryParts,
): Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'> {
  const { db, mustConfirm } = parts
  return {
    emailAndPassword: {
      enabled: true,
      minPasswordLength: limits.passwordMinLength,
      password: {
        hash: (password) => hashInTurn(() => hashPassword(truncate(password))),
        verify: ({ hash, password }) =>
          hashInTurn(() => verifyPassword({ hash, password: truncate(password) })),
      },
      requireEmailVerification: mustConfirm,
      resetPasswordTokenExpiresIn: resetLifetimeS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }, request) =>
        sendPasswordReset(parts, user, token, languageOfMail(request)),
      onExistingUserSignUp: ({ user }, request) => sendExistingAccount(parts, user, languageOfMail(request)),
      // The links of other mails.
      onPasswordReset: ({ user }) => deleteResetTokens(db, user.id),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: mustConfirm,
      sendVerificationEmail: ({ user, url }, request) =>
        sendConfirmation(
          parts,
          { userId: user.id, to: user.email, link: url, isChange: isChangeOfEmail(request) },
          languageOfMail(request),
        ),
    },
  }
}

/** The tokens of Google, which nothing reads: a copy of the database has none. */
const discardTokens = async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } })

/** Trusts the origin of a request if our own rule admits it. */
function listTrustedOrigins(parts: AuthLibraryParts, request: Request | undefined): string[] {
  const origin = request?.headers.get('origin') ?? null
  return request && origin !== null && parts.isOriginAllowed(origin, request.headers) ? [origin] : []
}
