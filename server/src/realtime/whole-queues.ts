import type { Clock } from '@earshot/core/clock'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../async/keyed-timers.ts'
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

/** `read`: the queue changed in another process, and is in the database. */
type Waiting = WholeQueue | 'read' | null

export interface WholeQueuesParts {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  relay: RoomRelay
}

export function createWholeQueues(parts: WholeQueuesParts): WholeQueues {
  const { io, db, clock, logger, relay } = parts
  const timers = createKeyedTimers(clock)
  /** The rooms that were sent a queue within the interval, each with what waits for its end. */
  const waiting = new Map<string, Waiting>()

  const loadWholeQueue = async (roomId: string): Promise<WholeQueue> => {
    const { state, queueVersion: version } = await loadRoomState(db, roomId)
    return { roomId, queue: state.queue, version, sequence_number: state.timeline.sequenceNumber }
  }
  const emit = (queue: WholeQueue): void => {
    io.local.to(wholeChannelOf(queue.roomId)).emit('queueUpdate', queue)
  }
  const sendNow = (roomId: string, queue: WholeQueue | 'read'): void => {
    waiting.set(roomId, null)
    timers.set(roomId, clock.now() + serverLimits.queueUpdateMs, () => endInterval(roomId))
    if (queue !== 'read') return emit(queue)
    loadWholeQueue(roomId).then(emit, (error: unknown) =>
      logger.warn(
        { err: error, roomId },
        'Could not read a queue to send; clients catch up with the next one',
      ),
    )
  }
  const endInterval = (roomId: string): void => {
    const next = waiting.get(roomId) ?? null
    waiting.delete(roomId)
    if (next) sendNow(roomId, next)
  }
  const send = (roomId: string, queue: WholeQueue | 'read'): void => {
    const hasReceivers = io.sockets.adapter.rooms.has(wholeChannelOf(roomId))
    if (!hasReceivers) return
    if (waiting.has(roomId)) waiting.set(roomId, queue)
    else sendNow(roomId, queue)
  }

  relay.on('queueChanged', (roomId) => send(roomId, 'read'))
  return {
    announce(queue) {
      relay.send(queue.roomId, 'queueChanged', {})
      send(queue.roomId, queue)
    },
    sendStored: (roomId) => send(roomId, 'read'),
    close() {
      timers.close()
      waiting.clear()
    },
  }
}
