import type { Clock } from '@earshot/core/clock'
import type { createRoomSchema } from '@earshot/core/protocol/validation'
import type { z } from 'zod'
import { cleanName } from '@earshot/core/protocol/text'
import type { LibraryRule } from '../accounts/library-access.ts'
import type { Db } from '../db/database.ts'
import { insertRoom } from '../db/rooms.ts'
import { newId } from '../ids.ts'
import type { Limiters } from '../limits/rate-limits.ts'
import type { Membership } from '../presence/membership.ts'
import type { Presence } from '../presence/presence.ts'
import type { Playability } from '../sync-reports/playability.ts'
import type { SyncReports } from '../sync-reports/sync-reports.ts'
import { foldText } from '../library/search-text.ts'
import type { Chat } from './chat.ts'
import type { Doors } from './door.ts'
import { hashRoomPassword } from './room-password.ts'
import { requireRoomQuota, takeRoomQuota } from './room-quota.ts'
import type { RoomRuntime } from './room-runtime.ts'
import type { RoomSnapshots } from './room-snapshots.ts'
import type { RoomViews } from './room-view.ts'
import type { TrackReadiness } from './schedule/track-readiness.ts'
import { initialPlaybackColumns } from './store/stored-room.ts'

/** The room parts that HTTP calls and socket events work with. */
export interface Rooms {
  db: Db
  clock: Clock
  libraryRule: LibraryRule
  presence: Presence
  runtime: RoomRuntime
  membership: Membership
  readiness: TrackReadiness
  views: RoomViews
  snapshots: RoomSnapshots
  doors: Doors
  chat: Chat
  syncReports: SyncReports
  playability: Playability
  /** Per user, shared by HTTP calls and socket events. */
  limiters: Limiters
}

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
    preferred_source: input.preferredSource,
    created_at: nowMs,
    settings: '{}',
    ...initialPlaybackColumns(nowMs),
  }
  await parts.db.transaction().execute(async (change) => {
    await takeRoomQuota(change, ownerId)
    await insertRoom(change, row)
  })
  return id
}

/** Returns the columns of a room's name, without marks that would turn what follows it in lists and link previews. */
export function toNameColumns(given: string): { name: string; search_text: string } {
  const name = cleanName(given)
  return { name, search_text: foldText(name) }
}
