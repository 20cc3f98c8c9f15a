import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { AppError, toWireError } from '@earshot/core/protocol/errors'
import { clientEventAliases } from '@earshot/core/protocol/socket-events'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import { findRoom } from '../db/rooms.ts'
import { createKeyedMutex } from '../async/keyed-mutex.ts'
import type { Membership } from '../presence/membership.ts'
import { type Limiters, takePoint } from '../limits/rate-limits.ts'
import type { BoundEvent, EventCall } from './client-event.ts'
import { logIdentityMismatch } from './identity.ts'
import type { EventMetrics } from './metrics.ts'
import { checkPayloadSize } from './payload-size.ts'
import { type RoomServer, type RoomSocket, channelOf } from './socket-types.ts'

/**
 * The only listener on the sockets. Whatever arrives is answered where an answer is asked for: with data, or with an
 * error of the closed list; nothing that arrives can do more than that.
 */
export interface GatewayParts {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  metrics: EventMetrics
  membership: Membership
  limiters: Limiters
  /** By name on the wire. */
  events: ReadonlyMap<string, BoundEvent>
  /** Work to wait for when the server closes. */
  track: (work: Promise<void>) => void
}

type Answer = (answer: { ok: true; data: unknown } | { ok: false; error: unknown }) => void

const aliases = new Map<string, string>(Object.entries(clientEventAliases))

export function listenToSockets(parts: GatewayParts): void {
  parts.io.on('connection', (socket) => {
    // The events of one socket are handled in the order in which they came.
    const runInOrder = createKeyedMutex()
    socket.onAny((name: unknown, ...args: unknown[]) => {
      const receivedAtMs = parts.clock.now()
      const last = args.at(-1)
      const ack = typeof last === 'function' ? (args.pop() as Answer) : null
      const call = toCall(parts, socket, receivedAtMs, ack !== null)
      const work = handleEvent(parts, name, args[0], call, (task) => runInOrder('', task))
      parts.track(answerEvent(parts, name, call, work, ack))
    })
    socket.on('disconnect', () => parts.track(dropSeats(parts, socket)))
  })
}

function toCall(parts: GatewayParts, socket: RoomSocket, receivedAtMs: number, hasAck: boolean): EventCall {
  return {
    socket,
    user: socket.data.session.user,
    receivedAtMs,
    hasAck,
    async requireMember(roomId) {
      if (socket.rooms.has(channelOf(roomId))) return
      const room = await findRoom(parts.db, roomId)
      throw new AppError(room ? 'not_a_member' : 'room_not_found')
    },
  }
}

async function handleEvent(
  parts: GatewayParts,
  name: unknown,
  payload: unknown,
  call: EventCall,
  runInOrder: (task: () => Promise<unknown>) => Promise<unknown>,
): Promise<unknown> {
  const event = parts.events.get(toEventName(name))
  if (name === 'ping' && event) {
    await takePoint(parts.limiters.probe, call.socket.id)
    return await event.answer(payload, call)
  }
  await takePoint(parts.limiters[event?.rate ?? 'command'], call.user.id)
  if (!event) throw new AppError('unknown_event')
  checkPayloadSize(payload, event.isBulky ? limits.socketTransportMaxBytes : limits.socketPayloadMaxBytes)
  logIdentityMismatch(parts.logger, payload, call.user.id)
  return await runInOrder(() => event.answer(payload, call))
}

function toEventName(name: unknown): string {
  return typeof name === 'string' ? (aliases.get(name) ?? name) : ''
}

async function answerEvent(
  parts: GatewayParts,
  name: unknown,
  call: EventCall,
  work: Promise<unknown>,
  ack: Answer | null,
): Promise<void> {
  let result = 'ok'
  try {
    const data = await work
    ack?.({ ok: true, data })
  } catch (error) {
    const wire = toWireError(error)
    result = wire.code
    if (wire.code === 'internal') parts.logger.error({ err: error, event: name }, 'an event failed')
    ack?.({ ok: false, error: wire })
  }
  const known = toEventName(name)
  const seconds = (parts.clock.now() - call.receivedAtMs) / 1_000
  parts.metrics.observeEvent(parts.events.has(known) ? known : 'unknown', result, seconds)
}

async function dropSeats({ membership, logger }: GatewayParts, socket: RoomSocket): Promise<void> {
  try {
    await membership.drop(socket.id)
  } catch (error) {
    logger.error(
      { err: error },
      'could not shorten the seats of a socket that dropped; they run out by themselves',
    )
  }
}
