import { type Clock, hourMs } from '@earshot/core/clock'
import type { SignUpMode } from '@earshot/core/protocol/admin-calls'
import { AppError } from '@earshot/core/protocol/errors'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import type { Redis } from 'ioredis'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { addressKey } from '../address-key.ts'
import { mixesAlphabets } from '../db/name-keys.ts'
import type { Db } from '../db/database.ts'
import { isNameTaken } from '../db/profiles.ts'
import { isReservedName } from '../db/reserved-names.ts'
import { createSharedRateLimiter, takePoint } from '../limits/rate-limits.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { isServerInvite, takeServerInvite } from '../db/server-invites.ts'

interface SignUpParts {
  db: Db
  clock: Clock
  mode: SignUpMode
  /** New accounts from one address. */
  perHour: number
  securityLog: SecurityLog
  redis: Redis | null
}

interface SignUp {
  /** The token of an invite, if there is one. */
  invite: string | null
  address: string | null
}

/** Decides who may create an account, in whatever way. Guests of a room are no accounts: the room's owner decides. */
export interface SignUpRule {
  /**
   * Refuses early, before anything about the email is said. Nothing is used up. A guest may choose the name that they have.
   * @throws AppError
   */
  check(signUp: SignUp & { username: string | null; guestId: string | null }): Promise<void>
  /** Admits one new account, and uses its invite. @throws AppError */
  admit(signUp: SignUp): Promise<{ hasLibraryAccess: boolean }>
}

/** @throws AppError rate_limited where the next point would be refused */
async function requirePoint(limiter: RateLimiterAbstract, key: string, points: number): Promise<void> {
  const count = await limiter.get(key)
  if (count === null || count.consumedPoints < points) return
  throw new AppError('rate_limited', undefined, { retryAfterMs: Math.max(1, Math.ceil(count.msBeforeNext)) })
}

export function createSignUpRule(parts: SignUpParts): SignUpRule {
  const { db, mode, perHour, redis, securityLog } = parts
  const ofAddress = createSharedRateLimiter('sign-up-address', { points: perHour, perMs: hourMs }, redis)
  const refuse = (code: 'sign_up_closed' | 'invite_required', address: string | null): AppError => {
    securityLog.record('sign_up_refused', { address, reason: code })
    return new AppError(code)
  }
  return {
    async check({ invite, address, username, guestId }) {
      if (mode === 'closed') throw refuse('sign_up_closed', address)
      // Before a password is hashed for nothing.
      if (address !== null) await requirePoint(ofAddress, addressKey(address), perHour)
      const isInvited = invite !== null && (await isServerInvite(parts, invite))
      if (mode === 'invite' && !isInvited) throw refuse('invite_required', address)
      if (username === null) return
      const isTaken = await isNameTaken(db, username, guestId ?? undefined)
      if (isTaken || isReservedName(username)) throw new AppError('name_taken')
      if (mixesAlphabets(username)) throw new AppError('invalid_input', validationMessages.nameMixesAlphabets)
    },
    async admit({ invite, address }) {
      if (mode === 'closed') throw refuse('sign_up_closed', address)
      if (address !== null) await takePoint(ofAddress, addressKey(address))
      const taken = invite === null ? null : await takeServerInvite(parts, invite)
      if (mode === 'invite' && taken === null) throw refuse('invite_required', address)
      return { hasLibraryAccess: taken?.givesLibraryAccess ?? false }
    },
  }
}
