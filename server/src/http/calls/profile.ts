import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import { profilePicturePath } from '@earshot/core/protocol/media-paths'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ProfilePictures } from '../../accounts/profile-pictures.ts'
import type { SessionUser } from '../../auth/session.ts'
import type { Db } from '../../db/database.ts'
import { mixesAlphabets, nameKeysOf } from '../../db/name-keys.ts'
import { findProfilePicture } from '../../db/profile-pictures.ts'
import { findProfile, insertProfile, updateProfile, type StoredProfile } from '../../db/profiles.ts'
import { isReservedName } from '../../db/reserved-names.ts'
import type { EventBus } from '../../events.ts'
import { type Limiters, takePoint } from '../../limits/rate-limits.ts'
import type { ListeningTimeCounter } from '../../rooms/listening-time.ts'
import { errorBodySchema, registerCall } from '../http-call.ts'

interface ProfileParts {
  db: Db
  clock: Clock
  events: EventBus
  pictures: ProfilePictures
  limiter: Limiters['profileChanges']
  readStats: ListeningTimeCounter['readStats']
}

/** Serves the profile of the signed-in user (7.7), and the pictures of all. */
export function registerProfileCalls(server: FastifyInstance, parts: ProfileParts): void {
  const { db, events, pictures, limiter } = parts
  const answerProfile = async (user: SessionUser) => ({
    profile: { ...(await requireProfile(parts, user)), email: user.email },
  })
  registerCall(server, httpApi.getProfile, ({ session: { user } }) => answerProfile(user))

  registerCall(server, httpApi.updateProfile, async ({ session: { user }, body }) => {
    const { username } = await requireProfile(parts, user)
    if (body.username !== undefined && !mayTakeName(user, username, body.username))
      throw new AppError('name_taken')
    if (body.username !== undefined && body.username !== username && mixesAlphabets(body.username))
      throw new AppError('invalid_input', validationMessages.nameMixesAlphabets)
    const isRenamed = body.username !== undefined && body.username !== username
    if (isRenamed) await takePoint(limiter, user.id)
    const profile = await updateProfile(db, user.id, body)
    if (!profile) throw new AppError('not_found')
    if (isRenamed) await events.emit('profileChanged', { userId: user.id, isRemote: false })
    return { profile: { ...profile, email: user.email } }
  })

  registerCall(server, httpApi.setProfilePicture, async ({ session: { user }, body }) => {
    await takePoint(limiter, user.id)
    await requireProfile(parts, user)
    await pictures.set(user.id, Buffer.from(body.image, 'base64'))
    return answerProfile(user)
  })

  registerCall(server, httpApi.removeProfilePicture, async ({ session: { user } }) => {
    await takePoint(limiter, user.id)
    await pictures.remove(user.id)
    return answerProfile(user)
  })

  server.get<{ Params: { pictureId: string } }>(
    decodeURIComponent(profilePicturePath(':pictureId')),
    { schema: pictureSchema },
    async ({ params }, reply) => {
      const picture = await findProfilePicture(db, params.pictureId)
      if (!picture) throw new AppError('not_found')
      return reply
        .header('cache-control', 'private, max-age=31536000, immutable')
        .type('image/webp')
        .send(picture)
    },
  )

  registerCall(server, httpApi.getProfileStats, async ({ session: { user } }) => ({
    stats: await parts.readStats(user.id),
  }))
}

const pictureSchema = {
  summary: "A user's picture, which never changes: a new one has another address",
  tags: ['pictures'],
  params: z.object({ pictureId: z.string().min(1).max(64) }),
  response: {
    200: {
      description: 'The picture',
      content: { 'image/webp': { schema: z.string().meta({ format: 'binary' }) } },
    },
    default: errorBodySchema,
  },
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
