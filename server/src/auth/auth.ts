import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import type { Logger } from 'pino'
import { type Db, engineOf } from '../db/database.ts'
import { findProfile } from '../db/profiles.ts'
import type { EventBus } from '../events.ts'
import { newId } from '../ids.ts'
import { writeConfirmation } from '../mail/confirmation.ts'
import type { Mailer } from '../mail/mailer.ts'
import { authPath, clientAddressHeader } from './auth-path.ts'
import { emailName, makeProfile } from './new-profile.ts'
import type { ResolveSession, Session } from './session.ts'
import { sweepAuthTables } from './sweep.ts'

const sessionLifetimeS = 30 * 24 * 60 * 60
/** A session that is used is renewed at most this often. */
const sessionRenewalS = 24 * 60 * 60
const sweepIntervalMs = 24 * 60 * 60 * 1_000

export interface AuthParts {
  db: Db
  clock: Clock
  logger: Logger
  mailer: Mailer
  secret: string
  /** Where browsers reach the server: scheme and host of links and cookies. */
  publicUrl: string
  /** Whether an account must be confirmed by mail before it can sign in. */
  mustConfirm: boolean
  google: { clientId: string; clientSecret: string } | null
  isOriginAllowed: (origin: string | null, headers: Headers) => boolean
  events: EventBus
}

/** Accounts and sessions. */
export interface Auth {
  /** Answers a request to `/api/auth/...`. */
  handle: (request: Request) => Promise<Response>
  resolveSession: ResolveSession
  /** Waits for what is under way, mails above all. */
  close(): Promise<void>
}

/** Sets the sign-in library up on our database. Sessions live there alone, so one that is signed out has ended. */
export function createAuth(parts: AuthParts): Auth {
  const background = new Set<Promise<unknown>>()
  const runInBackground = (work: Promise<unknown>): void => {
    const settled = work.catch(() => {}).finally(() => background.delete(settled))
    background.add(settled)
  }
  const library = betterAuth(toOptions(parts, runInBackground))
  const stopSweeping = keepSweeping(parts, runInBackground)
  // The first request makes the library compare the tables with what it expects; nobody should have to wait for that.
  runInBackground(library.handler(new Request(new URL(`${authPath}/ok`, parts.publicUrl))))
  return {
    handle: (request) => library.handler(request),
    async resolveSession(headers) {
      // Renewing is left to the call that can hand out the renewed cookie.
      const found = await library.api.getSession({ headers, query: { disableRefresh: true } })
      return found ? toSession(parts.db, found.session.id, found.user) : null
    },
    async close() {
      stopSweeping()
      await Promise.all(background)
    },
  }
}

async function toSession(
  db: Db,
  id: string,
  user: { id: string; email: string; image?: string | null },
): Promise<Session> {
  const profile = await findProfile(db, user.id)
  const username = profile?.username ?? emailName(user.email)
  const avatarUrl = profile ? profile.avatar_url : (user.image ?? null)
  return { id, user: { id: user.id, email: user.email, username, avatarUrl } }
}

function toOptions(parts: AuthParts, runInBackground: (work: Promise<unknown>) => void): BetterAuthOptions {
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
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: mustConfirm,
      autoSignInAfterVerification: true,
      sendVerificationEmail: ({ user, url }) => sendConfirmation(parts, user.email, url),
    },
    socialProviders: parts.google ? { google: parts.google } : {},
    session: {
      expiresIn: sessionLifetimeS,
      updateAge: sessionRenewalS,
      // A cached session would outlive its end.
      cookieCache: { enabled: false },
    },
    databaseHooks: {
      user: { create: { after: (user) => makeProfile(parts, user) } },
      session: {
        delete: {
          after: (session) => events.emit('sessionEnded', { sessionId: session.id, isRemote: false }),
        },
      },
    },
    trustedOrigins: (request) => listTrustedOrigins(parts, request),
    // Requests are counted where they come in, for the whole API alike.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message, ...details) => logger[level](describe(details), message),
    },
    advanced: {
      cookiePrefix: 'earshot',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: () => newId() },
      backgroundTasks: { handler: runInBackground },
      // Said aloud, because the library's own default leaves both checks out while tests run.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  }
}

/** A mail that cannot be sent is logged: the account is there, and a try to sign in sends another one. */
async function sendConfirmation({ mailer, logger }: AuthParts, to: string, link: string): Promise<void> {
  try {
    await mailer.send(writeConfirmation(to, link))
  } catch (error) {
    logger.error({ err: error }, 'A mail could not be sent')
  }
}

/** Of what the library has to say, errors alone: the rest may hold somebody's data. */
function describe(details: unknown[]): { part: string; err?: Error } {
  const err = details.find((detail) => detail instanceof Error)
  return { part: 'auth', ...(err ? { err } : {}) }
}

/** The origin of a request, where our own rule admits it. */
function listTrustedOrigins({ isOriginAllowed }: AuthParts, request: Request | undefined): string[] {
  const origin = request?.headers.get('origin') ?? null
  return request && origin !== null && isOriginAllowed(origin, request.headers) ? [origin] : []
}

function keepSweeping(
  { db, clock, logger }: AuthParts,
  runInBackground: (work: Promise<unknown>) => void,
): () => void {
  let stop = (): void => {}
  const sweep = (): void => {
    stop = clock.after(sweepIntervalMs, sweep)
    const swept = sweepAuthTables(db, clock.now()).catch((error: unknown) =>
      logger.warn({ err: error }, 'Sessions that have run out could not be removed'),
    )
    runInBackground(swept)
  }
  sweep()
  return () => stop()
}
