import type { Clock } from '@earshot/core/clock'
import type { Member } from '@earshot/core/protocol/entities'
import { type Tally, createTally } from '../limits/tally.ts'
import {
  type CueAnswers,
  type Departure,
  type Lease,
  type LeaseKey,
  type Presence,
  type StoredVotes,
  silentAfterCues,
} from './presence.ts'

interface RoomPresence {
  /** In order of arrival. */
  users: Map<string, UserPresence>
  connectedCount: number
  /** Counts of ready users, by sequence number. */
  ready: Tally<number>
  /** Counts of votes, by turn. */
  votes: Tally<number>
  startedCues: number
  /** Counts of connected users, by the number of the last cue that they answered, or connected after. */
  answered: Tally<number>
}

interface UserPresence {
  member: Member
  /** By holder id. */
  leases: Map<string, { expiresAtMs: number; isConnected: boolean }>
  readySequence: number | null
  /** As in the room's `answered`; null: not connected. */
  answeredCue: number | null
  votedTurn: number | null
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
    async leave(leases) {
      return leases.filter((lease) => leave(rooms, lease)).map(toDeparture)
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
    async findMember(roomId, userId) {
      return rooms.get(roomId)?.users.get(userId)?.member ?? null
    },
    async findPresent(roomId, userIds) {
      const users = rooms.get(roomId)?.users
      return new Set(userIds.filter((userId) => users?.has(userId)))
    },
    ...createCueAnswers(rooms),
    ...createStoredVotes(rooms),
  }
}

function createCueAnswers(rooms: Map<string, RoomPresence>): CueAnswers {
  return {
    async markReady(roomId, sequenceNumber, userId) {
      const room = rooms.get(roomId)
      const user = room?.users.get(userId)
      if (!room || !user || user.answeredCue === null) return
      setReady(room, user, sequenceNumber)
      setAnswered(room, user, room.startedCues + 1)
    },
    async countReady(roomId, sequenceNumber) {
      const room = rooms.get(roomId)
      return room
        ? { ready: room.ready.count(sequenceNumber), answering: countAnswering(room) }
        : { ready: 0, answering: 0 }
    },
    async recordStart(roomId) {
      const room = rooms.get(roomId)
      if (room) room.startedCues += 1
    },
    async countSilent(roomId) {
      const room = rooms.get(roomId)
      return room ? room.connectedCount - countAnswering(room) : 0
    },
    async findAnswering(roomId, userIds) {
      const room = rooms.get(roomId)
      return new Set(room ? userIds.filter((userId) => isAnswering(room, room.users.get(userId))) : [])
    },
    async findSilent(roomId, userIds) {
      const room = rooms.get(roomId)
      if (!room) return new Set()
      const connected = userIds.filter((userId) => typeof room.users.get(userId)?.answeredCue === 'number')
      return new Set(connected.filter((userId) => !isAnswering(room, room.users.get(userId))))
    },
  }
}

function createStoredVotes(rooms: Map<string, RoomPresence>): StoredVotes {
  return {
    async setVote(roomId, userId, turn) {
      const room = rooms.get(roomId)
      const user = room?.users.get(userId)
      if (!room || !user || (turn !== null && !isAnswering(room, user))) return false
      setVoted(room, user, turn)
      return turn !== null
    },
    async hasVoted(roomId, userId, turn) {
      return rooms.get(roomId)?.users.get(userId)?.votedTurn === turn
    },
    async countVotes(roomId, turn) {
      const room = rooms.get(roomId)
      return room
        ? { votes: room.votes.count(turn), answering: countAnswering(room) }
        : { votes: 0, answering: 0 }
    },
  }
}

/** Returns true if the user was not present before. */
function addLease(rooms: Map<string, RoomPresence>, lease: Lease, expiresAtMs: number): boolean {
  const room = rooms.get(lease.roomId) ?? openRoom()
  rooms.set(lease.roomId, room)
  const known = room.users.get(lease.userId)
  const user = known ?? openUser(lease.member)
  const isNewConnection = lease.isConnected && user.leases.get(lease.holderId)?.isConnected !== true
  user.member = lease.member
  user.leases.set(lease.holderId, { expiresAtMs, isConnected: lease.isConnected })
  if (!known) room.users.set(lease.userId, user)
  if (isNewConnection) setAnswered(room, user, room.startedCues)
  else forgetUnlessConnected(room, user)
  return !known
}

function openRoom(): RoomPresence {
  return {
    users: new Map(),
    connectedCount: 0,
    ready: createTally(),
    votes: createTally(),
    startedCues: 0,
    answered: createTally(),
  }
}

function openUser(member: Member): UserPresence {
  return { member, leases: new Map(), readySequence: null, answeredCue: null, votedTurn: null }
}

/** Removes a lease, and with the last connected one those that are not. Returns true if the user has none any more. */
function leave(rooms: Map<string, RoomPresence>, lease: LeaseKey): boolean {
  if (removeLease(rooms, lease)) return true
  const left = [...(rooms.get(lease.roomId)?.users.get(lease.userId)?.leases ?? [])]
  if (left.some(([, { isConnected }]) => isConnected)) return false
  return left.map(([holderId]) => removeLease(rooms, { ...lease, holderId })).includes(true)
}

/** Returns true if it was the user's last lease in the room. */
function removeLease(rooms: Map<string, RoomPresence>, lease: LeaseKey): boolean {
  const room = rooms.get(lease.roomId)
  const user = room?.users.get(lease.userId)
  if (!room || !user?.leases.delete(lease.holderId)) return false
  forgetUnlessConnected(room, user)
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

/** A user without a connection is not ready, as a page that comes back loads anew, and has no vote. */
function forgetUnlessConnected(room: RoomPresence, user: UserPresence): void {
  if ([...user.leases.values()].some((lease) => lease.isConnected)) return
  setReady(room, user, null)
  setVoted(room, user, null)
  setAnswered(room, user, null)
}

/** Records readiness for one sequence number at a time. */
function setReady(room: RoomPresence, user: UserPresence, sequenceNumber: number | null): void {
  room.ready.remove(user.readySequence)
  room.ready.add(sequenceNumber)
  user.readySequence = sequenceNumber
}

function setVoted(room: RoomPresence, user: UserPresence, turn: number | null): void {
  room.votes.remove(user.votedTurn)
  room.votes.add(turn)
  user.votedTurn = turn
}

function setAnswered(room: RoomPresence, user: UserPresence, cue: number | null): void {
  room.connectedCount += Number(cue !== null) - Number(user.answeredCue !== null)
  room.answered.remove(user.answeredCue)
  room.answered.add(cue)
  user.answeredCue = cue
}

function isAnswering({ startedCues }: RoomPresence, user: UserPresence | undefined): boolean {
  const answered = user?.answeredCue ?? null
  return answered !== null && startedCues - answered < silentAfterCues
}

/** Adds up few numbers: called for each report. */
function countAnswering({ answered, startedCues }: RoomPresence): number {
  const next = startedCues + 1
  let count = 0
  for (let cue = next - silentAfterCues; cue <= next; cue += 1) count += answered.count(cue)
  return count
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
