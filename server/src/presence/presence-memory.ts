import type { Clock } from '@earshot/core/clock'
import type { Member } from '@earshot/core/protocol/entities'
import type { Departure, Lease, LeaseKey, Presence } from './presence.ts'

interface RoomPresence {
  /** In order of arrival. */
  users: Map<string, UserPresence>
  connectedCount: number
  /** Counts of ready users, by sequence number. */
  ready: Map<number, number>
}

interface UserPresence {
  member: Member
  /** By holder id. */
  leases: Map<string, { expiresAtMs: number; isConnected: boolean }>
  isConnected: boolean
  readySequence: number | null
}

/** Creates presence for a single server process. Like its sockets, it ends with the process. */
export function createMemoryPresence(clock: Clock): Presence {
  const rooms = new Map<string, RoomPresence>()

  return {
    async acquire(leases, ttlMs) {
      const expiresAtMs = clock.now() + ttlMs
      return leases.filter((lease) => addLease(rooms, lease, expiresAtMs))
    },
    async renew(lease, ttlMs) {
      const held = rooms.get(lease.roomId)?.users.get(lease.userId)?.leases.get(lease.holderId)
      if (!held) return false
      held.expiresAtMs = clock.now() + ttlMs
      return true
    },
    async release(leases) {
      return leases.filter((lease) => removeLease(rooms, lease)).map(toDeparture)
    },
    async releaseUser(roomId, userId) {
      const holderIds = [...(rooms.get(roomId)?.users.get(userId)?.leases.keys() ?? [])]
      return holderIds.map((holderId) => removeLease(rooms, { roomId, userId, holderId })).includes(true)
    },
    async expire() {
      return listExpired(rooms, clock.now())
        .filter((lease) => removeLease(rooms, lease))
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

/** Returns true if the user was not present before. */
function addLease(rooms: Map<string, RoomPresence>, lease: Lease, expiresAtMs: number): boolean {
  const room = rooms.get(lease.roomId) ?? { users: new Map(), connectedCount: 0, ready: new Map() }
  rooms.set(lease.roomId, room)
  const known = room.users.get(lease.userId)
  const user = known ?? { member: lease.member, leases: new Map(), isConnected: false, readySequence: null }
  user.member = lease.member
  user.leases.set(lease.holderId, { expiresAtMs, isConnected: lease.isConnected })
  if (!known) room.users.set(lease.userId, user)
  updateConnected(room, user)
  return !known
}

/** Returns true if it was the user's last lease in the room. */
function removeLease(rooms: Map<string, RoomPresence>, lease: LeaseKey): boolean {
  const room = rooms.get(lease.roomId)
  const user = room?.users.get(lease.userId)
  if (!room || !user?.leases.delete(lease.holderId)) return false
  updateConnected(room, user)
  if (user.leases.size > 0) return false
  room.users.delete(lease.userId)
  if (room.users.size === 0) rooms.delete(lease.roomId)
  return true
}

function listExpired(rooms: Map<string, RoomPresence>, nowMs: number): LeaseKey[] {
  const expired: LeaseKey[] = []
  for (const [roomId, room] of rooms) {
    for (const [userId, user] of room.users) {
      for (const [holderId, { expiresAtMs }] of user.leases) {
        if (expiresAtMs <= nowMs) expired.push({ roomId, userId, holderId })
      }
    }
  }
  return expired
}

/** A user without a connection is not ready: a page that comes back loads anew. */
function updateConnected(room: RoomPresence, user: UserPresence): void {
  const isConnected = [...user.leases.values()].some((lease) => lease.isConnected)
  if (isConnected === user.isConnected) return
  user.isConnected = isConnected
  room.connectedCount += isConnected ? 1 : -1
  if (!isConnected) setReady(room, user, null)
}

/** Records readiness for one sequence number at a time. */
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

/** Avoids copying the list: called on every join. */
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

function toDeparture({ roomId, userId }: LeaseKey): Departure {
  return { roomId, userId }
}
