import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { inBatches } from '../async/in-batches.ts'
import { repeat } from '../async/repeat.ts'
import type { Db } from '../db/database.ts'
import { listExistingRooms } from '../db/admin-rooms.ts'
import { listLivingSessions } from '../db/users.ts'
import type { EventBus } from '../events.ts'
import type { Membership } from '../presence/membership.ts'
import type { RoomServer } from './room-sockets.ts'
import { roomIdsOf } from './room-channels.ts'
import { serverLimits } from '../server-limits.ts'

interface OutsideChangesParts {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  membership: Pick<Membership, 'closeRoom'>
}

const batchSize = 500

/**
 * Applies what other programs deleted, such as `npm run admin`: ends the connections of sessions that are gone, and
 * empties rooms that are gone. Checks every `serverLimits.outsideCheckMs`. Returns a function that stops it.
 */
export function startOutsideChanges(parts: OutsideChangesParts): () => Promise<void> {
  return repeat(
    parts.clock,
    { firstMs: serverLimits.outsideCheckMs, everyMs: serverLimits.outsideCheckMs },
    async () => {
      await endGoneSessions(parts)
      await emptyGoneRooms(parts)
    },
    (error) => parts.logger.warn({ err: error }, 'Could not look for ended sessions; retrying in 5 s'),
  )
}

async function endGoneSessions({ io, db, events }: OutsideChangesParts): Promise<void> {
  const sockets = [...io.sockets.sockets.values()]
  const sessionIds = [...new Set(sockets.map((socket) => socket.data.session.id))]
  for (const batch of inBatches(sessionIds, batchSize)) {
    const living = await listLivingSessions(db, batch)
    const gone = batch.filter((sessionId) => !living.has(sessionId))
    // Each process looks at its own sockets.
    for (const sessionId of gone) await events.emit('sessionEnded', { sessionId, isRemote: true })
  }
}

async function emptyGoneRooms({ io, db, membership }: OutsideChangesParts): Promise<void> {
  for (const batch of inBatches(roomIdsOf(io.sockets.adapter.rooms.keys()), batchSize)) {
    const existing = await listExistingRooms(db, batch)
    for (const roomId of batch.filter((id) => !existing.has(id))) {
      await membership.closeRoom(roomId, 'deleted')
    }
  }
}
