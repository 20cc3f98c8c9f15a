import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@earshot/core/clock'
import { AppError, type ErrorCode, toWireError } from '@earshot/core/protocol/errors'
import { clientEventAliases } from '@earshot/core/protocol/socket-events'
import type { Logger } from 'pino'
import type { Histogram } from 'prom-client'
import { createKeyedMutex } from '../async/keyed-mutex.ts'
import type { MismatchLog } from '../auth/identity-mismatch.ts'
import type { Db } from '../db/database.ts'
import { findRoom } from '../db/rooms.ts'
import type { AddressOf } from '../http/client-address.ts'
import { type Limiters, takePoint } from '../limits/rate-limits.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { toUnavailable } from '../unavailable.ts'
import type { Membership } from '../presence/membership.ts'
import type { BoundEvent, EventCall } from './bind-event.ts'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { channelOf } from './room-channels.ts'
import { limitInbound, limitRefusals } from './refusal-limit.ts'
import { serverLimits } from '../server-limits.ts'

/**
 * The only listener on sockets. Each event is answered if an answer is requested: with data, or with an error of the
 * closed list.
 */
interface Gateway {
  /**
   * Answers the events received so far, refuses others, and disconnects the sockets of this process. Resolves when their
   * disconnects are processed.
   */
  close(): Promise<void>
}

interface GatewayParts {
  io: RoomServer
  db: Db
  clock: Clock
  logger: Logger
  /** Seconds from receipt to answer. */
  eventSeconds: Histogram<'event' | 'result'>
  membership: Membership
  limiters: Limiters
  addressOf: AddressOf
  securityLog: SecurityLog
  logMismatch: MismatchLog
  /** By wire name. */
  eventHandlers: ReadonlyMap<string, BoundEvent>
}

type Answer = (answer: { ok: true; data: unknown } | { ok: false; error: unknown }) => void

/** An event as a client sent it. */
interface ReceivedEvent {
  name: unknown
  payload: unknown
  call: EventCall
  /** Null: no answer is requested. */
  ack: Answer | null
}

/** Time for the answers to the events that were received before closing: with that of HTTP, less than the process has. */
const answerWithinMs = 5_000
/** Time for sending them. */
const sendWithinMs = 500

const aliases = new Map<string, string>(Object.entries(clientEventAliases))

export function openGateway(parts: GatewayParts): Gateway {
  const { io, clock } = parts
  const pending = new Set<Promise<void>>()
  const track = (work: Promise<void>): void => {
    const settled = work.catch(() => {}).finally(() => pending.delete(settled))
    pending.add(settled)
  }
  let isClosing = false
  // Serialises the events of each socket.
  const runExclusive = createKeyedMutex()
  const logCutOff = (socket: RoomSocket): void => {
    const { user } = socket.data.session
    const address = parts.addressOf(socket.request)
    parts.securityLog.record('cut_off', { address, userId: user.id })
  }
  const countRefusal = limitRefusals(io, logCutOff)
  limitInbound(io, logCutOff)

  // One listener for all sockets: a closure of each would hold memory as long as it is connected.
  function onEvent(this: RoomSocket, name: unknown, ...args: unknown[]): void {
    const receivedAtMs = clock.now()
    const last = args.at(-1)
    const ack = typeof last === 'function' ? (args.pop() as Answer) : null
    const call = toCall(parts, this, receivedAtMs, ack !== null)
    const received = { name, payload: args[0], call, ack }
    const work = isClosing
      ? Promise.reject(new AppError('unavailable'))
      : handleEvent(parts, received, (task) => runExclusive(this.id, task))
    track(answerEvent(parts, received, work, (code) => countRefusal(this, code)))
  }
  function onDisconnect(this: RoomSocket): void {
    track(endPresence(parts, this))
  }
  io.on('connection', (socket) => {
    socket.onAny(onEvent)
    socket.on('disconnect', onDisconnect)
  })

  return {
    async close() {
      isClosing = true
      await Promise.race([Promise.all(pending), delay(answerWithinMs, null, { ref: false })])
      // Not `disconnectSockets`: standard clients take its packet as a dismissal, and do not connect again.
      for (const { conn } of io.sockets.sockets.values()) conn.close()
      // Connections end once their last answers are sent; closing the engine at once would discard these.
      const giveUpAtMs = performance.now() + sendWithinMs
      while (io.engine.clientsCount > 0 && performance.now() < giveUpAtMs) await delay(10)
      io.engine.close()
      await Promise.all(pending)
    },
  }
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
  { name, payload, call }: ReceivedEvent,
  runInOrder: (task: () => Promise<unknown>) => Promise<unknown>,
): Promise<unknown> {
  const event = parts.eventHandlers.get(toEventName(name))
  if (name === 'ping' && event) {
    await takePoint(parts.limiters.probe, call.socket.id)
    await takePoint(parts.limiters.userProbes, call.user.id)
    return await event.answer(payload, call)
  }
  await takePoint(parts.limiters[event?.rate ?? 'command'], call.user.id)
  if (!event) throw new AppError('unknown_event')
  checkPayloadSize(
    payload,
    event.isBulky ? serverLimits.socketTransportMaxBytes : serverLimits.socketPayloadMaxBytes,
  )
  parts.logMismatch(payload, call.user.id)
  return await runInOrder(() => event.answer(payload, call))
}

function toEventName(name: unknown): string {
  return typeof name === 'string' ? (aliases.get(name) ?? name) : ''
}

async function answerEvent(
  parts: GatewayParts,
  { name, call, ack }: ReceivedEvent,
  work: Promise<unknown>,
  onRefused: (code: ErrorCode) => void,
): Promise<void> {
  let result = 'ok'
  try {
    const data = await work
    ack?.({ ok: true, data })
  } catch (error) {
    const problem = toUnavailable(error)
    const wire = toWireError(problem)
    result = wire.code
    if (wire.code === 'internal') {
      parts.logger.error({ err: error, event: name }, 'Event failed; answered with an internal error')
    } else if (problem !== error) {
      parts.logger.warn({ err: error, event: name }, 'Event failed for now; the client may try again')
    }
    ack?.({ ok: false, error: wire })
    onRefused(wire.code)
  }
  const known = toEventName(name)
  const event = parts.eventHandlers.has(known) ? known : 'unknown'
  parts.eventSeconds.observe({ event, result }, (parts.clock.now() - call.receivedAtMs) / 1_000)
}

async function endPresence({ membership, logger }: GatewayParts, { id, data }: RoomSocket): Promise<void> {
  try {
    await membership.disconnect(id, { mayReturn: data.isSignedOut !== true })
  } catch (error) {
    const message = 'Could not end the presence of a disconnected socket; its lease will expire on its own'
    logger.error({ err: error }, message)
  }
}

/**
 * Refuses a payload that is too large. The estimate counts characters of names and texts and a few bytes per value, so
 * it never exceeds the size of the JSON. Iterative: the nesting depth is not limited yet.
 * @throws AppError payload_too_large
 */
export function checkPayloadSize(payload: unknown, maxBytes: number): void {
  const pending: object[] = []
  let bytes = 0
  const add = (value: unknown): void => {
    bytes += sizeOf(value)
    if (bytes > maxBytes) throw new AppError('payload_too_large')
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) pending.push(value)
  }
  add(payload)
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (Array.isArray(value)) {
      // Not by its entries, which would be an array for each value of a long list.
      for (const inner of value as unknown[]) add(inner)
      continue
    }
    for (const [name, inner] of Object.entries(value)) {
      bytes += name.length
      add(inner)
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (ArrayBuffer.isView(value)) return value.byteLength
  return 2
}
