import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { RoomKey } from '@earshot/core/protocol/validation'
import type { SessionUser } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { type RoomRow, refuseDeletedRoom } from '../db/rooms.ts'
import { deleteMemberships, isMember } from '../db/user-rooms.ts'
import type { EventBus, RemovalReason } from '../events.ts'
import type { RoomAccess, Visitor } from '../rooms/room-access.ts'
import { isAddressBanned } from '../rooms/room-bans.ts'
import { type JoinStatements, createJoinStatements } from './join-statements.ts'
import { type Departure, type Lease, type LeaseKey, type Presence, httpHolderId } from './presence.ts'

/** Joining and leaving. A present user holds a lease and has a membership row. */
export interface Membership {
  /**
   * Checks that the user may enter. Changes nothing, except that a correct password or an invite grants access.
   * @throws AppError room_not_found, banned, password_required, wrong_password, guests_not_admitted, rate_limited
   */
  admit(roomId: string, user: Visitor, key: RoomKey): Promise<RoomRow>
  /**
   * Makes an admitted user a present member. Idempotent; resolves to whether they were absent before.
   * @throws AppError banned, if they were banned since they were admitted
   */
  enter(room: RoomRow, user: SessionUser, holderId: string): Promise<boolean>
  /** Releases one lease on purpose. The membership ends at once if it was the user's last lease. */
  leave(lease: LeaseKey): Promise<void>
  /** Ends the user's membership on all their connections. Idempotent. */
  leaveEverywhere(roomId: string, userId: string, reason?: RemovalReason): Promise<void>
  /** Ends all memberships of a room that was deleted, in all processes. */
  closeRoom(roomId: string, reason: string): Promise<void>
  /** Starts the grace period of a socket that disconnected, so that a reload does not flicker. */
  disconnect(socketId: string): Promise<void>
  /**
   * Keeps a member present who calls over HTTP and may have no socket.
   * @throws AppError room_not_found, not_a_member
   */
  requireMember(roomId: string, user: SessionUser): Promise<RoomRow>
  /** Renews the leases held by this process's sockets. */
  renewLeases(): Promise<void>
  /** Expires presence leases of all processes, and ends the memberships that depend on them. */
  expireLeases(): Promise<void>
}

export interface MembershipParts {
  db: Db
  clock: Clock
  events: EventBus
  presence: Presence
  access: RoomAccess
}

/** Leases renewed in one call. */
const renewBatchSize = 500

type Parts = MembershipParts & { statements: JoinStatements }

export function createMembership(given: MembershipParts): Membership {
  const { db, events, presence } = given
  const parts: Parts = { ...given, statements: createJoinStatements(db) }
  const held = createHeldLeases(events)
  /** Release waits for a running renewal, which would otherwise acquire the lease again. */
  let renewal: Promise<void> = Promise.resolve()
  const leaveEverywhere: Membership['leaveEverywhere'] = async (roomId, userId, reason = 'left') => {
    held.removeUser(roomId, userId)
    await Promise.allSettled([renewal])
    const wasPresent = await presence.releaseUser(roomId, userId)
    if (!wasPresent && !(await isMember(db, roomId, userId))) return
    await endMemberships(parts, [{ roomId, userId }])
    void events.emit('userRemoved', { roomId, userId, reason, isRemote: false })
    await events.emit('memberDropped', { roomId })
  }
  events.on('userRemoved', async ({ roomId, userId, reason, isRemote }) => {
    // A renewal here may have acquired the lease again before the ban was known.
    if (isRemote && reason === 'banned') await leaveEverywhere(roomId, userId, reason)
  })

  return {
    async admit(roomId, user, key) {
      const room = await requireRoom(parts, roomId)
      if (await isBanned(parts, roomId, user)) throw new AppError('banned')
      await parts.access.admit(room, user, key)
      return room
    },
    async enter(room, user, holderId) {
      const wasAbsent = await enterRoom(parts, held, toLease(room, await refreshNames(parts, user), holderId))
      // A ban ends the membership that it finds; this one may be later.
      if (!(await isBanned(parts, room.id, user))) return wasAbsent
      await leaveEverywhere(room.id, user.id, 'banned')
      throw new AppError('banned')
    },
    async leave(lease) {
      held.remove(lease)
      await Promise.allSettled([renewal])
      await endMemberships(parts, await presence.release([lease]))
      await events.emit('memberDropped', { roomId: lease.roomId })
    },
    leaveEverywhere,
    async closeRoom(roomId, reason) {
      await events.emit('roomClosed', { roomId, reason, isRemote: false })
      await Promise.allSettled([renewal])
      await releaseAll(presence, roomId)
    },
    async disconnect(socketId) {
      const leases = held.removeHolder(socketId).map((lease) => ({ ...lease, isConnected: false }))
      await Promise.allSettled([renewal])
      await presence.acquire(leases, limits.presenceGraceMs)
      for (const { roomId } of leases) await events.emit('memberDropped', { roomId })
    },
    async requireMember(roomId, user) {
      const room = await requireRoom(parts, roomId)
      if (!(await isMember(db, roomId, user.id))) throw new AppError('not_a_member')
      await keepPresent(parts, toLease(room, user, httpHolderId))
      return room
    },
    renewLeases: () => (renewal = renewHeld(parts, held)),
    expireLeases: () => expireLeases(parts),
  }
}

/** Leases held by this process's sockets: by holder, then by room. Those of closed rooms and removed users are dropped. */
function createHeldLeases(events: EventBus) {
  const holders = new Map<string, Map<string, Lease>>()
  const removeUser = (roomId: string, userId: string): void => {
    for (const leases of holders.values()) {
      if (leases.get(roomId)?.userId === userId) leases.delete(roomId)
    }
  }
  events.on('userRemoved', ({ roomId, userId }) => removeUser(roomId, userId))
  events.on('roomClosed', ({ roomId }) => {
    for (const leases of holders.values()) leases.delete(roomId)
  })

  return {
    removeUser,
    add(lease: Lease): void {
      const leases = holders.get(lease.holderId) ?? new Map<string, Lease>()
      holders.set(lease.holderId, leases.set(lease.roomId, lease))
    },
    has: (lease: LeaseKey): boolean => holders.get(lease.holderId)?.has(lease.roomId) ?? false,
    remove: (lease: LeaseKey): void => void holders.get(lease.holderId)?.delete(lease.roomId),
    /** Removes all leases of a holder and returns them. */
    removeHolder(holderId: string): Lease[] {
      const leases = holders.get(holderId)
      holders.delete(holderId)
      return [...(leases?.values() ?? [])]
    },
    list: (): Lease[] => [...holders.values()].flatMap((leases) => [...leases.values()]),
  }
}

async function renewHeld(parts: Parts, held: ReturnType<typeof createHeldLeases>): Promise<void> {
  const leases = held.list()
  for (let start = 0; start < leases.length; start += renewBatchSize) {
    const batch = leases.slice(start, start + renewBatchSize).filter((lease) => held.has(lease))
    const newcomers = await parts.presence.acquire(batch, limits.presenceLeaseMs)
    for (const lease of newcomers) {
      await keepUnlessDeleted(parts, held, lease, addMember(parts, lease)).catch(ignoreDeletedRoom)
    }
  }
}

const isDeletedRoom = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'room_not_found'

function ignoreDeletedRoom(error: unknown): void {
  if (!isDeletedRoom(error)) throw error
}

/** Ends a lease whose room was deleted while it was acquired: nothing else would, as nobody was told of this one. */
async function keepUnlessDeleted<Result>(
  parts: Parts,
  held: ReturnType<typeof createHeldLeases>,
  lease: Lease,
  acquiring: Promise<Result>,
): Promise<Result> {
  try {
    return await acquiring
  } catch (error) {
    if (isDeletedRoom(error)) {
      held.remove(lease)
      await parts.presence.release([lease])
    }
    throw error
  }
}

async function expireLeases(parts: Parts): Promise<void> {
  const departures = await parts.presence.expire()
  await endMemberships(parts, departures)
  const roomIds = new Set(departures.map((departure) => departure.roomId))
  for (const roomId of roomIds) await parts.events.emit('memberDropped', { roomId })
}

/** Leases of a process that renews them once more expire on their own. */
async function releaseAll(presence: Presence, roomId: string): Promise<void> {
  for (;;) {
    const members = await presence.listMembers(roomId, { offset: 0, limit: limits.membersPageSize })
    if (members.length === 0) return
    for (const { id } of members) await presence.releaseUser(roomId, id)
  }
}

async function requireRoom({ statements }: Parts, roomId: string): Promise<RoomRow> {
  const room = await statements.findRoom(roomId)
  if (!room) throw new AppError('room_not_found')
  return room
}

async function isBanned(parts: Parts, roomId: string, user: Visitor): Promise<boolean> {
  if (await parts.statements.isBanned({ roomId, userId: user.id })) return true
  return await isAddressBanned(parts, roomId, user)
}

/** Reads the current names: a socket may outlive those of its session. */
async function refreshNames({ statements }: Parts, user: SessionUser): Promise<SessionUser> {
  const profile = await statements.findProfile(user.id)
  return profile ? { ...user, username: profile.username, avatarUrl: profile.avatar_url } : user
}

function toLease(room: RoomRow, user: SessionUser, holderId: string): Lease {
  const member: Member = {
    id: user.id,
    username: user.username,
    avatar_url: user.avatarUrl,
    is_owner: user.id === room.owner_id,
    ...(user.isGuest ? { is_guest: true } : {}),
  }
  return { roomId: room.id, userId: user.id, holderId, member, isConnected: holderId !== httpHolderId }
}

/** Resolves to whether the user was absent before. */
async function enterRoom(
  parts: Parts,
  held: ReturnType<typeof createHeldLeases>,
  lease: Lease,
): Promise<boolean> {
  if (lease.holderId === httpHolderId) return await acquire(parts, lease, limits.httpPresenceLeaseMs)
  held.add(lease)
  return await keepUnlessDeleted(parts, held, lease, acquire(parts, lease, limits.presenceLeaseMs))
}

/** Resolves to whether the user was absent before. */
async function acquire(parts: Parts, lease: Lease, ttlMs: number): Promise<boolean> {
  const [newcomer] = await parts.presence.acquire([lease], ttlMs)
  if (!newcomer) {
    await writeMembership(parts, lease)
    return false
  }
  await addMember(parts, newcomer)
  const { roomId, userId } = lease
  if (lease.member.is_owner) void parts.events.emit('ownerArrived', { roomId, ownerId: userId })
  return true
}

async function addMember(parts: Parts, { roomId, userId, member }: Lease): Promise<void> {
  const isBack = !(await writeMembership(parts, { roomId, userId }))
  void parts.events.emit('memberJoined', { roomId, member, isBack })
}

/** Resolves to whether the user was no member before. */
async function writeMembership({ statements, clock }: Parts, member: Departure): Promise<boolean> {
  const { userId, roomId } = member
  return await refuseDeletedRoom(statements.insertMembership({ userId, roomId, joinedAtMs: clock.now() }))
}

/** Renews or acquires the HTTP lease, unless a socket keeps the member present. */
async function keepPresent(parts: Parts, lease: Lease): Promise<void> {
  if (await parts.presence.renew(lease, limits.httpPresenceLeaseMs)) return
  const present = await parts.presence.findPresent(lease.roomId, [lease.userId])
  if (!present.has(lease.userId)) await acquire(parts, lease, limits.httpPresenceLeaseMs)
}

async function endMemberships(parts: Parts, departures: Departure[]): Promise<void> {
  const byRoom = Map.groupBy(departures, (departure) => departure.roomId)
  for (const [roomId, gone] of byRoom) {
    const userIds = gone.map((departure) => departure.userId)
    await parts.events.emit('membersLeaving', { roomId, userIds })
    await deleteMemberships(parts.db, roomId, userIds)
    // A user who rejoined in the meantime keeps their row.
    const back = await parts.presence.findPresent(roomId, userIds)
    for (const userId of back) await writeMembership(parts, { roomId, userId }).catch(ignoreDeletedRoom)
    void parts.events.emit('membersChanged', { roomId })
  }
}
