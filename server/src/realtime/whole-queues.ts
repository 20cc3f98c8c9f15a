import type { Clock } from '@earshot/core/clock'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { Logger } from 'pino'
import { createKeyedThrottle } from '../async/keyed-throttle.ts'
import type { Db } from '../db/database.ts'
import { loadRoomState } from '../rooms/store/room-store.ts'
import type { RoomServer } from './room-sockets.ts'
import { wholeChannelOf } from './room-channels.ts'
import type { RoomRelay } from './room-relay.ts'
import { serverLimits } from '../server-limits.ts'

type WholeQueue = ServerPayload<'queueUpdate'>

/**
 * Sends whole queues to the clients that do not understand differences: at most one in 500 ms per room, always the
 * latest one last. Each process sends to its own clients.
 */
export interface WholeQueues {
  /** A queue changed in this process. */
  announce(queue: WholeQueue): void
  /** Sends the queue that is in the database. */
  sendStored(roomId: string): void
  close(): void
}

export interface WholeQueuesParts {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  relay: RoomRelay
}

export function createWholeQueues(parts: WholeQueuesParts): WholeQueues {
  const { io, db, clock, logger, relay } = parts
  /** The latest queues, until they are sent; `read`: it changed in another process, and is in the database. */
  const unsent = new Map<string, WholeQueue | 'read'>()

  const loadWholeQueue = async (roomId: string): Promise<WholeQueue> => {
    const { state, queueVersion: version } = await loadRoomState(db, roomId)
    return { roomId, queue: state.queue, version, sequence_number: state.timeline.sequenceNumber }
  }
  const emit = (queue: WholeQueue): void => {
    io.local.to(wholeChannelOf(queue.roomId)).emit('queueUpdate', queue)
  }
  const sending = createKeyedThrottle(clock, serverLimits.queueUpdateMs, (roomId) => {
    const queue = unsent.get(roomId) ?? 'read'
    unsent.delete(roomId)
    if (queue !== 'read') return emit(queue)
    loadWholeQueue(roomId).then(emit, (error: unknown) =>
      logger.warn(
        { err: error, roomId },
        'Could not read a queue to send; clients catch up with the next one',
      ),
    )
  })
  const send = (roomId: string, queue: WholeQueue | 'read'): void => {
    const hasReceivers = io.sockets.adapter.rooms.has(wholeChannelOf(roomId))
    if (!hasReceivers) return
    unsent.set(roomId, queue)
    sending.request(roomId)
  }

  relay.on('queueChanged', (roomId) => send(roomId, 'read'))
  return {
    announce(queue) {
      relay.send(queue.roomId, 'queueChanged', {})
      send(queue.roomId, queue)
    },
    sendStored: (roomId) => send(roomId, 'read'),
    close() {
      sending.close()
      unsent.clear()
    },
  }
}
