import type { Clock } from '@earshot/core/clock'
import type { Source } from '@earshot/core/protocol/entities'
import type { createRoomSchema } from '@earshot/core/protocol/validation'
import type { z } from 'zod'
import type { Db } from '../db/database.ts'
import { addCreatedRoom, findProfile } from '../db/profiles.ts'
import { insertRoom } from '../db/rooms.ts'
import { newId } from '../ids.ts'
import { toNameColumns } from './room-name.ts'
import { hashRoomPassword } from './room-password.ts'
import { requireRoomQuota, takeRoomQuota } from './room-quota.ts'
import { initialPlaybackColumns } from './store/stored-room.ts'

/** Creates a room that plays nothing yet (7.1b). Resolves to its id. @throws AppError too_many_rooms */
export async function createRoom(
  parts: { db: Db; clock: Clock },
  input: z.output<typeof createRoomSchema>,
  ownerId: string,
): Promise<string> {
  // Before a password is hashed, which costs more.
  await requireRoomQuota(parts.db, ownerId)
  const nowMs = Math.round(parts.clock.now())
  const id = newId()
  const row = {
    id,
    ...toNameColumns(input.name),
    owner_id: ownerId,
    is_public: input.isPublic ? 1 : 0,
    password: input.password === null ? null : await hashRoomPassword(input.password),
    preferred_source: input.preferredSource ?? (await readPreference(parts.db, ownerId)),
    created_at: nowMs,
    settings: '{}',
    ...initialPlaybackColumns(nowMs),
  }
  await parts.db.transaction().execute(async (change) => {
    await takeRoomQuota(change, ownerId)
    await insertRoom(change, row)
    await addCreatedRoom(change, ownerId)
  })
  return id
}

async function readPreference(db: Db, userId: string): Promise<Source> {
  return (await findProfile(db, userId))?.preferred_source ?? 'library'
}
