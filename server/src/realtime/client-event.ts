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
import type { RoomSocket } from './socket-types.ts'

/** One event that arrived: who sent it, and when. */
export interface EventCall {
  socket: RoomSocket
  user: SessionUser
  /** The server's clock at receipt, ms. */
  receivedAtMs: number
  /** Whether the sender waits for an answer. */
  hasAck: boolean
  /** @throws AppError not_a_member, or room_not_found where there is no such room */
  requireMember(roomId: string): Promise<void>
}

export interface EventDefinition<Name extends ClientEventName> {
  /** The rate that holds for it, per user. */
  rate: RateName
  /** Carries a list: it may be as large as the transport lets through. */
  isBulky?: boolean
  /** Checks who may do it, does it, and resolves to the answer. Throws an AppError to refuse. */
  handle(payload: ClientPayload<Name>, call: EventCall): Promise<ClientAck<Name>> | ClientAck<Name>
}

/** An event with its input still unchecked: what the gateway works with. */
export interface BoundEvent {
  rate: RateName
  isBulky: boolean
  /** @throws AppError invalid_input, and whatever the handler refuses */
  answer(input: unknown, call: EventCall): Promise<unknown>
}

/** Puts the schema of the contract in front of a handler. */
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
