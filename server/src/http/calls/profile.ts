import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import type { FastifyInstance } from 'fastify'
import type { SessionUser } from '../../auth/session.ts'
import type { Db } from '../../db/database.ts'
import { mixesAlphabets, nameKeysOf } from '../../db/name-keys.ts'
import { findProfile, insertProfile, updateProfile, type StoredProfile } from '../../db/profiles.ts'
import { isReservedName } from '../../db/reserved-names.ts'
import type { ListeningTimeCounter } from '../../rooms/listening-time.ts'
import { registerCall } from '../http-call.ts'

export interface ProfileParts {
  db: Db
  clock: Clock
  readStats: ListeningTimeCounter['readStats']
}

/** Serves the profile of the signed-in user (7.7). */
export function registerProfileCalls(server: FastifyInstance, parts: ProfileParts): void {
  registerCall(server, httpApi.getProfile, async ({ session: { user } }) => ({
    profile: { ...(await requireProfile(parts, user)), email: user.email },
  }))

  registerCall(server, httpApi.updateProfile, async ({ session: { user }, body }) => {
    const { username } = await requireProfile(parts, user)
    if (body.username !== undefined && !mayTakeName(user, username, body.username))
      throw new AppError('name_taken')
    if (body.username !== undefined && body.username !== username && mixesAlphabets(body.username))
      throw new AppError('invalid_input', validationMessages.nameMixesAlphabets)
    const profile = await updateProfile(parts.db, user.id, body)
    if (!profile) throw new AppError('not_found')
    return { profile: { ...profile, email: user.email } }
  })

  registerCall(server, httpApi.getProfileStats, async ({ session: { user } }) => ({
    stats: await parts.readStats(user.id),
  }))
}

/** A user keeps a name that was reserved later, in any spelling. */
function mayTakeName({ isAdmin }: SessionUser, before: string, username: string): boolean {
  const isSame = nameKeysOf(username).name_key === nameKeysOf(before).name_key
  return isAdmin || isSame || !isReservedName(username)
}

/** Creates a profile that could not be created at sign-up (8.11). */
async function requireProfile({ db, clock }: ProfileParts, user: SessionUser): Promise<StoredProfile> {
  const found = await findProfile(db, user.id)
  if (found) return found
  await insertProfile(db, { ...user, createdAtMs: clock.now() })
  const created = await findProfile(db, user.id)
  if (!created) throw new AppError('not_found')
  return created
}
