import { parseInput } from '@earshot/core/protocol/parse-input'
import {
  type ClientAck,
  type ClientEventName,
  type ClientPayload,
  clientEvents,
} from '@earshot/core/protocol/socket-events'
import type { z } from 'zod'
import type { SessionUser } from '../auth/session.ts'
import type { RateName } from '../limits/rate-limits.ts'
import type { RoomSocket } from './room-sockets.ts'

/** One received event. */
export interface EventCall {
  socket: RoomSocket
  user: SessionUser
  /** The server's clock at receipt, ms. */
  receivedAtMs: number
  /** Whether the sender waits for an answer. */
  hasAck: boolean
  /** Only a socket in the room counts. @throws AppError not_a_member, or room_not_found */
  requireMember(roomId: string): Promise<void>
}

interface EventDefinition<Name extends ClientEventName> {
  /** The rate limit of the event, per user. */
  rate: RateName
  /** Carries a list, which may be as large as the transport allows. */
  isBulky?: boolean
  /** Any other event about a room is refused unless its sender is a member. */
  isForOutsiders?: boolean
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

/** Binds a handler to the contract's schema of its event, and to the membership of its sender. */
export function bindEvent<Name extends ClientEventName>(
  name: Name,
  definition: EventDefinition<Name>,
): BoundEvent {
  const schema = clientEvents[name].payload as unknown as z.ZodType<ClientPayload<Name> & { roomId?: string }>
  const { rate, isBulky = false, isForOutsiders = false } = definition
  return {
    rate,
    isBulky,
    async answer(input, call) {
      const payload = parseInput(schema, input)
      if (payload.roomId !== undefined && !isForOutsiders) await call.requireMember(payload.roomId)
      return await definition.handle(payload, call)
    },
  }
}
