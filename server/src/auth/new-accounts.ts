import type { Clock } from '@earshot/core/clock'
import { findCookie } from '@earshot/core/protocol/cookies'
import { AppError, httpStatus } from '@earshot/core/protocol/errors'
import { nameSchema } from '@earshot/core/protocol/validation'
import type { GenericEndpointContext } from 'better-auth'
import { APIError, getSessionFromCtx } from 'better-auth/api'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { SignUpRule } from '../accounts/sign-up-rule.ts'
import type { Db } from '../db/database.ts'
import { hasName, insertProfile } from '../db/profiles.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { clientAddressHeader, emailName, inviteCookie } from './session.ts'

interface NewAccountParts {
  db: Db
  clock: Clock
  logger: Logger
  signUpRule: SignUpRule
  securityLog: SecurityLog
}

interface NewUser {
  id: string
  email: string
  name: string
  image?: string | null
  isAnonymous?: boolean | null
}

/** The part of the library's request context that we read. */
interface RequestContext {
  path?: string
  body?: unknown
  headers?: Headers
}

/** Guests of a room have sessions and no accounts. */
const guestPath = '/sign-in/anonymous'

const signUpFields = z.object({
  username: nameSchema.optional().catch(undefined),
  invite: z.string().max(100).optional().catch(undefined),
})

/**
 * Returns the library's hooks around a new account, whichever way it is created. Before: whether it may be created.
 * After: its profile.
 */
export function newAccountHooks(parts: NewAccountParts) {
  const { signUpRule, securityLog } = parts
  /** Both hooks of one account get the same context. */
  const withMusicLibrary = new WeakSet<RequestContext>()
  return {
    async before(_user: unknown, context: RequestContext | null): Promise<void> {
      if (context === null || context.path === guestPath) return
      try {
        const { hasLibraryAccess } = await signUpRule.admit({
          invite: readInvite(context),
          address: addressOf(context),
        })
        if (hasLibraryAccess) withMusicLibrary.add(context)
      } catch (error) {
        throw toAuthLibraryError(error)
      }
    },
    async after(user: NewUser, context: GenericEndpointContext | null): Promise<void> {
      const username = signUpFields.safeParse(context?.body ?? {}).data?.username ?? null
      const hasLibraryAccess = context !== null && withMusicLibrary.has(context)
      const guestId = await findGuest(context)
      await createProfile(parts, user, { username, hasLibraryAccess, guestId })
      if (context === null || context.path === guestPath) return
      securityLog.record('account_created', { address: addressOf(context), userId: user.id })
    },
  }
}

interface ProfileChoices {
  username: string | null
  hasLibraryAccess: boolean
  /** The guest who signs up. */
  guestId: string | null
}

/** Creates the profile of a new account or guest. A failure is only logged: the account works without it (8.11). */
async function createProfile(
  { db, clock, logger }: NewAccountParts,
  user: NewUser,
  { username, hasLibraryAccess, guestId }: ProfileChoices,
): Promise<void> {
  const isGuest = user.isAnonymous === true
  try {
    const takesName = guestId !== null && (username === null || (await hasName(db, guestId, username)))
    await insertProfile(db, {
      id: user.id,
      username: isGuest ? user.name : (username ?? emailName(user.email)),
      isGuest,
      avatarUrl: user.image ?? null,
      createdAtMs: clock.now(),
      hasLibraryAccess,
      takesNameOf: takesName ? guestId : null,
    })
  } catch (error) {
    const message = 'Could not create the profile of a new account; it will be created on first use'
    logger.error({ err: error, userId: user.id }, message)
  }
}

/** Finds the guest who signs up; resolves to their id. */
export async function findGuest(context: GenericEndpointContext | null): Promise<string | null> {
  const session = context && (await getSessionFromCtx(context, { disableRefresh: true }))
  return session?.user['isAnonymous'] === true ? session.user.id : null
}

/** Reads the invite from a sign-up by email, and from the cookie that a sign-in at Google set before it left. */
function readInvite({ body, headers }: RequestContext): string | null {
  const invite = signUpFields.safeParse(body ?? {}).data?.invite
  if (invite !== undefined) return invite
  return findCookie(headers?.get('cookie') ?? undefined, inviteCookie)
}

function addressOf({ headers }: RequestContext): string | null {
  return headers?.get(clientAddressHeader) ?? null
}

/** The library answers a 403 of this hook as if the account existed, so it gets another status; the code stays. */
function toAuthLibraryError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const status = httpStatus[error.code] === 429 ? 'TOO_MANY_REQUESTS' : 'UNPROCESSABLE_ENTITY'
  return new APIError(status, { code: error.code, message: error.message })
}
