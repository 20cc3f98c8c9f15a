import type { Member } from '@earshot/core/protocol/entities'

/**
 * Who is in which room now. Somebody is in a room while they hold at least one seat there: a socket has one, and so
 * has a member who only calls over HTTP. A seat is a lease: unless it is taken again before it runs out it is free, so
 * the seats of a process that died vanish by themselves. Several seats of one user count once.
 *
 * Times are ms of the server's clock. All operations are safe to repeat. Where the store cannot be reached they
 * reject, and nothing was changed as far as anybody knows.
 */
export interface Presence {
  /**
   * Takes seats, or renews them, for `leaseMs` from now. Resolves to those whose user was not in the room before.
   * A seat whose socket dropped is given its grace by a short lease, and is not connected any more.
   */
  hold(seats: Seat[], leaseMs: number): Promise<Seat[]>
  /** Renews a seat that is held; resolves to false, and does nothing, where it is not. */
  extend(seat: SeatKey, leaseMs: number): Promise<boolean>
  /** Frees seats at once. Resolves to whoever is not in their room any more. */
  release(seats: SeatKey[]): Promise<Departure[]>
  /** Frees every seat of a user in a room. Resolves to whether they were there. */
  releaseUser(roomId: string, userId: string): Promise<boolean>
  /** Frees the seats whose lease ran out. Resolves to whoever is not in their room any more, each of them once. */
  expire(): Promise<Departure[]>
  /** Members in order of arrival, from `offset`. */
  listMembers(roomId: string, page: { offset: number; limit: number }): Promise<Member[]>
  countMembers(roomId: string): Promise<number>
  /** Those among `userIds` who are in the room. */
  findPresent(roomId: string, userIds: string[]): Promise<Set<string>>
  /** Notes that a user is ready to start what has this sequence number. One who is not connected is not. */
  markReady(roomId: string, sequenceNumber: number, userId: string): Promise<void>
  countReady(roomId: string, sequenceNumber: number): Promise<ReadyCount>
}

/** Of the members who are connected: when somebody comes back who is away for a moment, nobody knows. */
export interface ReadyCount {
  ready: number
  connected: number
}

export interface SeatKey {
  roomId: string
  userId: string
  /** The id of a socket, or what else holds the seat; unique for the user and room, without spaces. */
  seatId: string
}

export interface Seat extends SeatKey {
  member: Member
  /** Whether a socket sits here: not so for calls over HTTP, nor for the grace of a socket that dropped. */
  isConnected: boolean
}

export interface Departure {
  roomId: string
  userId: string
}
