import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { nameSchema } from '@earshot/core/protocol/validation'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type Db, engineOf } from '../db/database.ts'
import { findProfile, insertProfile } from '../db/profiles.ts'
import type { EventBus } from '../events.ts'
import { newId } from '../ids.ts'
import { type Mail, type Mailer, writeConfirmation, writePasswordReset } from '../mail/mailer.ts'
import {
  authPath,
  clientAddressHeader,
  emailName,
  type CheckPassword,
  type ResolveSession,
  type Session,
} from './session.ts'
import { countResetTokens, deleteResetTokens } from './reset-tokens.ts'
import { startSweeping } from './sweep.ts'

const sessionLifetimeS = 30 * 24 * 60 * 60
/** A session in use is renewed at most this often. */
const sessionRenewalS = 24 * 60 * 60
/** How long a mailed link can set a new password. */
const resetLifetimeS = 60 * 60

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
}

/** A request to a path under `authPath`. */
export interface AuthRequest {
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
  /** Waits for background tasks such as mails. */
  close(): Promise<void>
}

type RunInBackground = (task: Promise<unknown>) => void
type NewUser = { id: string; email: string; name: string; image?: string | null }

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
  return {
    handle: (request) => library.handler(toFetchRequest(request, parts.publicUrl)),
    async resolveSession(headers) {
      // Only /get-session renews sessions: it can send the renewed cookie.
      const found = await library.api.getSession({ headers, query: { disableRefresh: true } })
      return found ? toSession(parts.db, found.session.id, found.user) : null
    },
    async checkPassword(userId, password) {
      const context = await library.$context
      const account = await context.internalAdapter.findCredentialAccount(userId)
      if (!account?.password) return 'none'
      const isRight = await context.password.verify({ hash: account.password, password })
      return isRight ? 'right' : 'wrong'
    },
    async close() {
      await stopSweeping()
      await Promise.all(background)
    },
  }
}

function toFetchRequest({ method, path, headers, body }: AuthRequest, publicUrl: string): Request {
  // The library rejects cookies without an origin. Our own origin rule has already admitted the request.
  if (!headers.has('origin')) headers.set('origin', publicUrl)
  return new Request(new URL(path, publicUrl), { method, headers, body })
}

async function toSession(db: Db, id: string, user: NewUser): Promise<Session> {
  const profile = await findProfile(db, user.id)
  const username = profile?.username ?? emailName(user.email)
  const avatarUrl = profile ? profile.avatar_url : (user.image ?? null)
  return { id, user: { id: user.id, email: user.email, name: user.name, username, avatarUrl } }
}

function toOptions(parts: AuthLibraryParts, runInBackground: RunInBackground): BetterAuthOptions {
  const { db, events, logger, mustConfirm, publicUrl, secret } = parts
  return {
    appName: 'Earshot',
    baseURL: publicUrl,
    basePath: authPath,
    secret,
    database: { db, type: engineOf(db) },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: limits.passwordMinLength,
      requireEmailVerification: mustConfirm,
      resetPasswordTokenExpiresIn: resetLifetimeS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => sendPasswordReset(parts, user, token),
      // The links of other mails.
      onPasswordReset: ({ user }) => deleteResetTokens(db, user.id),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: mustConfirm,
      autoSignInAfterVerification: true,
      sendVerificationEmail: ({ user, url }) => sendConfirmation(parts, user.email, url),
    },
    // A copy of the database sets no passwords.
    verification: { storeIdentifier: 'hashed' },
    socialProviders: parts.google ? { google: parts.google } : {},
    session: {
      expiresIn: sessionLifetimeS,
      updateAge: sessionRenewalS,
      // A cached session would stay valid after signing out.
      cookieCache: { enabled: false },
    },
    databaseHooks: {
      user: { create: { after: (user, context) => createProfile(parts, user, readUsername(context?.body)) } },
      session: {
        delete: {
          after: (session) => events.emit('sessionEnded', { sessionId: session.id, isRemote: false }),
        },
      },
    },
    hooks: { after: endOtherSessions },
    trustedOrigins: (request) => listTrustedOrigins(parts, request),
    // The server counts requests itself, for the whole API.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message, ...details) => logger[level](describe(details), message),
    },
    advanced: {
      cookiePrefix: 'earshot',
      useSecureCookies: parts.isSecure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: () => newId() },
      backgroundTasks: { handler: runInBackground },
      // Explicit, because the library disables both checks by default while tests run.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  }
}

/** Creates the profile of a new account. A failure is only logged: the account works without it (8.11). */
async function createProfile(
  { db, clock, logger }: AuthLibraryParts,
  user: NewUser,
  username: string | null,
): Promise<void> {
  try {
    await insertProfile(db, {
      id: user.id,
      username: username ?? emailName(user.email),
      avatarUrl: user.image ?? null,
      createdAtMs: clock.now(),
    })
  } catch (error) {
    const message = 'Could not create the profile of a new account; it will be created on first use'
    logger.error({ err: error, userId: user.id }, message)
  }
}

/** Returns the name that a sign-up chose for the profile, or null. Some spellings of its path are not validated before. */
function readUsername(body: unknown): string | null {
  return z.object({ username: nameSchema }).safeParse(body).data?.username ?? null
}

/** A failure is only logged: the account exists, and signing in sends another mail where one is required. */
async function sendConfirmation(parts: AuthLibraryParts, to: string, link: string): Promise<void> {
  const mail = writeConfirmation({ from: senderOf(parts), to, link })
  await send(parts, mail, 'Could not send the confirmation mail; the account was created without it')
}

/** Sends the link to the page that sets the password. In its fragment, the token reaches no server log. */
async function sendPasswordReset(
  parts: AuthLibraryParts,
  { id, email }: NewUser,
  token: string,
): Promise<void> {
  const { db, clock, logger, publicUrl } = parts
  if ((await countResetTokens(db, id, clock.now())) > limits.resetMailsPerHour) {
    return logger.warn({ userId: id }, 'Too many mails for a new password within an hour; none was sent')
  }
  const link = new URL(`/reset-password#${token}`, publicUrl).href
  const mail = writePasswordReset({ from: senderOf(parts), to: email, link })
  await send(parts, mail, 'Could not send the mail for a new password; the user may ask again')
}

function senderOf({ publicUrl }: AuthLibraryParts): string {
  return `Earshot <no-reply@${new URL(publicUrl).hostname}>`
}

async function send({ mailer, logger }: AuthLibraryParts, mail: Mail, failure: string): Promise<void> {
  try {
    await mailer.send(mail)
  } catch (error) {
    logger.error({ err: error }, failure)
  }
}

/** Keeps the session that changed the password: the library's own option would replace it, and cut off its sockets. */
const endOtherSessions = createAuthMiddleware(async (context) => {
  if (context.path !== '/change-password' || context.context.returned instanceof Error) return
  const current = await getSessionFromCtx(context)
  if (!current) return
  const { internalAdapter } = context.context
  const sessions = await internalAdapter.listSessions(current.user.id)
  const others = sessions.map(({ token }) => token).filter((token) => token !== current.session.token)
  if (others.length > 0) await internalAdapter.deleteSessions(others)
})

/** Logs errors only: the library's other details can hold personal data. */
function describe(details: unknown[]): { part: string; err?: Error } {
  const err = details.find((detail) => detail instanceof Error)
  return { part: 'auth', ...(err ? { err } : {}) }
}

/** Trusts the origin of a request if our own rule admits it. */
function listTrustedOrigins(parts: AuthLibraryParts, request: Request | undefined): string[] {
  const origin = request?.headers.get('origin') ?? null
  return request && origin !== null && parts.isOriginAllowed(origin, request.headers) ? [origin] : []
}
