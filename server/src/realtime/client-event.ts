import { AppError } from '@earshot/core/protocol/errors'
import { parseInput } from '@earshot/core/protocol/parse-input'
import {
  type ClientAck,
  type ClientEventName,
  type ClientPayload,
  type ClientToServerEvents,
  type ServerToClientEvents,
  clientEvents,
} from '@earshot/core/protocol/socket-events'
import type { Logger } from 'pino'
import type { Server, Socket } from 'socket.io'
import type { z } from 'zod'
import type { Session, SessionUser } from '../auth/session.ts'
import type { UnplayableReport } from '../events.ts'
import type { RateName } from '../limits/rate-limits.ts'

/** Events between all server processes. Those about a room go through room-relay.ts. */
export interface InterServerEvents {
  session_ended: (sessionId: string) => void
  tracks_unplayable: (report: UnplayableReport) => void
}

export interface SocketData {
  session: Session
}

export type RoomServer = Server<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>
export type RoomSocket = Socket<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>

/** Returns the socket.io room with the sockets of a room's members. */
export const channelOf = (roomId: string): string => `room:${roomId}`

/** The socket.io rooms with those sockets that get differences of the queue, and those that get the whole queue. */
export const deltaChannelOf = (roomId: string): string => `queue-deltas:${roomId}`
export const wholeChannelOf = (roomId: string): string => `queues:${roomId}`

/** The socket.io room with those sockets that get the sync of all members, not its changes. */
export const wholeSyncChannelOf = (roomId: string): string => `sync:${roomId}`

/** All channels of a room. */
export const channelsOf = (roomId: string): string[] =>
  [channelOf, deltaChannelOf, wholeChannelOf, wholeSyncChannelOf].map((toName) => toName(roomId))

/** Adds a socket to the channels of a room. */
export async function joinChannels(
  socket: RoomSocket,
  roomId: string,
  { queueDeltas = false, syncChanges = false }: { queueDeltas?: boolean; syncChanges?: boolean },
): Promise<void> {
  await switchQueueChannel(socket, roomId, { queueDeltas })
  if (syncChanges) await socket.leave(wholeSyncChannelOf(roomId))
  else await socket.join(wholeSyncChannelOf(roomId))
  await socket.join(channelOf(roomId))
}

/** Chooses how a member gets the queue. */
export async function switchQueueChannel(
  socket: RoomSocket,
  roomId: string,
  { queueDeltas }: { queueDeltas: boolean },
): Promise<void> {
  const [queueChannel, otherChannel] = queueDeltas
    ? [deltaChannelOf(roomId), wholeChannelOf(roomId)]
    : [wholeChannelOf(roomId), deltaChannelOf(roomId)]
  await socket.leave(otherChannel)
  await socket.join(queueChannel)
}

/** Stops the broadcasts of a room to a socket. */
export async function leaveChannels(socket: RoomSocket, roomId: string): Promise<void> {
  for (const channel of channelsOf(roomId)) await socket.leave(channel)
}

/** One received event. */
export interface EventCall {
  socket: RoomSocket
  user: SessionUser
  /** The server's clock at receipt, ms. */
  receivedAtMs: number
  /** Whether the sender waits for an answer. */
  hasAck: boolean
  /** @throws AppError not_a_member, or room_not_found */
  requireMember(roomId: string): Promise<void>
}

export interface EventDefinition<Name extends ClientEventName> {
  /** The rate limit of the event, per user. */
  rate: RateName
  /** Carries a list, which may be as large as the transport allows. */
  isBulky?: boolean
  /** Checks permissions, runs the event and resolves to the answer. Throws an AppError to refuse. */
  handle(payload: ClientPayload<Name>, call: EventCall): Promise<ClientAck<Name>> | ClientAck<Name>
}

/** An event definition bound to its schema; accepts unvalidated input. */
export interface BoundEvent {
  rate: RateName
  isBulky: boolean
  /** @throws AppError invalid_input, or the refusal of the handler */
  answer(input: unknown, call: EventCall): Promise<unknown>
}

/** Binds a handler to the contract's schema of its event. */
export function bindEvent<Name extends ClientEventName>(
  name: Name,
  definition: EventDefinition<Name>,
): BoundEvent {
  const schema = clientEvents[name].payload as unknown as z.ZodType<ClientPayload<Name>>
  return {
    rate: definition.rate,
    isBulky: definition.isBulky ?? false,
    answer: async (input, call) => await definition.handle(parseInput(schema, input), call),
  }
}

/**
 * Refuses a payload that is too large. The estimate counts characters of names and texts and a few bytes per value, so
 * it never exceeds the size of the JSON. Iterative: the nesting depth is not limited yet.
 * @throws AppError payload_too_large
 */
export function checkPayloadSize(payload: unknown, maxBytes: number): void {
  const pending: unknown[] = [payload]
  let bytes = 0
  while (pending.length > 0) {
    const value = pending.pop()
    bytes += sizeOf(value)
    if (bytes > maxBytes) throw new AppError('payload_too_large')
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) bytes += name.length
      pending.push(inner)
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (ArrayBuffer.isView(value)) return value.byteLength
  return 2
}

/** Fields that may name a user, at the top of a payload or in the state it carries. */
const identityFields = ['user', 'userId', 'user_id', 'sender_id', 'added_by', 'owner_id'] as const

/** Logs (debug) a payload that names another user than its session. Identity is always the session's (7.3). */
export function logIdentityMismatch(logger: Logger, payload: unknown, userId: string): void {
  if (!logger.isLevelEnabled('debug')) return
  const claimed = [payload, readField(payload, 'state')].flatMap(listClaims)
  if (claimed.some((claim) => claim !== userId)) {
    logger.debug({ userId }, 'Event names another user; the session decides')
  }
}

function listClaims(value: unknown): string[] {
  return identityFields.flatMap((field) => {
    const claim = readField(value, field)
    const id = typeof claim === 'object' ? readField(claim, 'id') : claim
    return typeof id === 'string' ? [id] : []
  })
}

function readField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}
