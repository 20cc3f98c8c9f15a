import type { Clock } from '@earshot/core/clock'
import type { Member } from '@earshot/core/protocol/entities'
import type { Departure, Presence, Seat, SeatKey } from './presence.ts'

/** Presence of a server that is one process: forgotten when it ends, as its sockets are. */

interface RoomPresence {
  /** In order of arrival. */
  users: Map<string, UserPresence>
  connectedCount: number
  /** How many are ready, by sequence number. */
  ready: Map<number, number>
}

interface UserPresence {
  member: Member
  /** By seat id. */
  seats: Map<string, { expiresAtMs: number; isConnected: boolean }>
  isConnected: boolean
  readySequence: number | null
}

export function createMemoryPresence(clock: Clock): Presence {
  const rooms = new Map<string, RoomPresence>()

  return {
    async hold(seats, leaseMs) {
      const expiresAtMs = clock.now() + leaseMs
      return seats.filter((seat) => takeSeat(rooms, seat, expiresAtMs))
    },
    async extend(seat, leaseMs) {
      const held = rooms.get(seat.roomId)?.users.get(seat.userId)?.seats.get(seat.seatId)
      if (!held) return false
      held.expiresAtMs = clock.now() + leaseMs
      return true
    },
    async release(seats) {
      return seats.filter((seat) => freeSeat(rooms, seat)).map(toDeparture)
    },
    async releaseUser(roomId, userId) {
      const seatIds = [...(rooms.get(roomId)?.users.get(userId)?.seats.keys() ?? [])]
      return seatIds.map((seatId) => freeSeat(rooms, { roomId, userId, seatId })).includes(true)
    },
    async expire() {
      return listExpired(rooms, clock.now())
        .filter((seat) => freeSeat(rooms, seat))
        .map(toDeparture)
    },
    async listMembers(roomId, { offset, limit }) {
      return takePage(rooms.get(roomId)?.users.values() ?? [], offset, limit).map((user) => user.member)
    },
    async countMembers(roomId) {
      return rooms.get(roomId)?.users.size ?? 0
    },
    async findPresent(roomId, userIds) {
      const users = rooms.get(roomId)?.users
      return new Set(userIds.filter((userId) => users?.has(userId)))
    },
    async markReady(roomId, sequenceNumber, userId) {
      const room = rooms.get(roomId)
      const user = room?.users.get(userId)
      if (room && user?.isConnected) setReady(room, user, sequenceNumber)
    },
    async countReady(roomId, sequenceNumber) {
      const room = rooms.get(roomId)
      return { ready: room?.ready.get(sequenceNumber) ?? 0, connected: room?.connectedCount ?? 0 }
    },
  }
}

/** True where the user was not in the room before. */
function takeSeat(rooms: Map<string, RoomPresence>, seat: Seat, expiresAtMs: number): boolean {
  const room = rooms.get(seat.roomId) ?? { users: new Map(), connectedCount: 0, ready: new Map() }
  rooms.set(seat.roomId, room)
  const known = room.users.get(seat.userId)
  const user = known ?? { member: seat.member, seats: new Map(), isConnected: false, readySequence: null }
  user.member = seat.member
  user.seats.set(seat.seatId, { expiresAtMs, isConnected: seat.isConnected })
  if (!known) room.users.set(seat.userId, user)
  settleConnected(room, user)
  return !known
}

/** True where it was the user's last seat in the room. */
function freeSeat(rooms: Map<string, RoomPresence>, seat: SeatKey): boolean {
  const room = rooms.get(seat.roomId)
  const user = room?.users.get(seat.userId)
  if (!room || !user?.seats.delete(seat.seatId)) return false
  settleConnected(room, user)
  if (user.seats.size > 0) return false
  room.users.delete(seat.userId)
  if (room.users.size === 0) rooms.delete(seat.roomId)
  return true
}

function listExpired(rooms: Map<string, RoomPresence>, nowMs: number): SeatKey[] {
  const expired: SeatKey[] = []
  for (const [roomId, room] of rooms) {
    for (const [userId, user] of room.users) {
      for (const [seatId, { expiresAtMs }] of user.seats) {
        if (expiresAtMs <= nowMs) expired.push({ roomId, userId, seatId })
      }
    }
  }
  return expired
}

/** Whoever has no socket any more is not ready either: a page that comes back loads anew. */
function settleConnected(room: RoomPresence, user: UserPresence): void {
  const isConnected = [...user.seats.values()].some((seat) => seat.isConnected)
  if (isConnected === user.isConnected) return
  user.isConnected = isConnected
  room.connectedCount += isConnected ? 1 : -1
  if (!isConnected) setReady(room, user, null)
}

/** A user is ready for one sequence number at a time. */
function setReady(room: RoomPresence, user: UserPresence, sequenceNumber: number | null): void {
  const { readySequence } = user
  if (readySequence === sequenceNumber) return
  if (readySequence !== null) {
    const left = (room.ready.get(readySequence) ?? 0) - 1
    if (left > 0) room.ready.set(readySequence, left)
    else room.ready.delete(readySequence)
  }
  if (sequenceNumber !== null) room.ready.set(sequenceNumber, (room.ready.get(sequenceNumber) ?? 0) + 1)
  user.readySequence = sequenceNumber
}

/** Without a copy of everything: it is asked for by everybody who joins. */
function takePage<Value>(values: Iterable<Value>, offset: number, limit: number): Value[] {
  const page: Value[] = []
  let index = 0
  for (const value of values) {
    if (page.length === limit) break
    if (index >= offset) page.push(value)
    index += 1
  }
  return page
}

function toDeparture({ roomId, userId }: SeatKey): Departure {
  return { roomId, userId }
}
