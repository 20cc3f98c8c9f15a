import type { Member, Message } from '@earshot/core/protocol/entities'
import type { Actor, RoomCommand } from '@earshot/core/room/room-state'
import type { StoredOutcome } from './store/room-store.ts'

/** What happened in a room, after it was stored. */
export interface RoomChanged {
  roomId: string
  /** What was asked for, in order. */
  commands: RoomCommand[]
  actor: Actor
  outcome: StoredOutcome
}

/**
 * How the rooms tell the outside world. Given to them by whoever owns the sockets: a room knows neither sockets nor
 * processes. Nothing here may throw or reject: what is stored stays stored, whoever hears of it.
 */
export interface RoomBroadcasts {
  /** Awaited before the next change of the room is stored, so that its members hear of changes in order. */
  roomChanged(change: RoomChanged): Promise<void>
  memberJoined(roomId: string, member: Member): void
  /** Members came or went. */
  membersChanged(roomId: string): void
  messageSent(roomId: string, message: Message): void
  /** The user left the room as a whole: their sockets no longer belong to it. */
  userRemoved(roomId: string, userId: string): void
}
