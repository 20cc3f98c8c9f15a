import type { Clock } from '@earshot/core/clock'
import type { createRoomSchema } from '@earshot/core/protocol/validation'
import type { z } from 'zod'
import type { Db } from '../db/database.ts'
import { insertRoom } from '../db/rooms.ts'
import { newId } from '../ids.ts'
import { hashRoomPassword } from './room-password.ts'
import { initialPlaybackColumns } from './store/room-rows.ts'

/** Makes a room that plays nothing yet (7.1b). Resolves to its id. */
export async function createRoom(
  parts: { db: Db; clock: Clock },
  input: z.output<typeof createRoomSchema>,
  ownerId: string,
): Promise<string> {
  const nowMs = Math.round(parts.clock.now())
  const id = newId()
  await insertRoom(parts.db, {
    id,
    name: input.name,
    owner_id: ownerId,
    is_public: input.isPublic ? 1 : 0,
    password: input.password === null ? null : await hashRoomPassword(input.password),
    preferred_source: input.preferredSource,
    created_at: nowMs,
    ...initialPlaybackColumns(nowMs),
  })
  return id
}
