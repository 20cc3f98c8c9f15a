import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { createBatched } from '../async/batched.ts'
import { type CoalescedRun, createCoalescedRun } from '../async/coalesced-run.ts'
import type { SessionUser } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { type RoomRow, orRoomNotFound } from '../db/rooms.ts'
import { isMember } from '../db/user-rooms.ts'
import type { EventBus, RemovalReason } from '../events.ts'
import type { AddressedKey, RoomAccess, Visitor } from '../rooms/room-access.ts'
import { isUnavailable } from '../unavailable.ts'
import { type HeldLeases, createHeldLeases } from './held-leases.ts'
import { createJoinStatements } from './join-statements.ts'
import { createLeaseRenewal } from './lease-renewal.ts'
import { type Lease, type LeaseKey, type Presence, httpHolderId } from './presence.ts'
import {
  type StoredMembershipsParts,
  addMember,
  endMemberships,
  isRefused,
  removeOrphans,
  storeAgain,
} from './stored-memberships.ts'
import { serverLimits } from '../server-limits.ts'

/** Joining and leaving. A present user holds a lease and has a membership row. */
export interface Membership {
  /**
   * Checks that the user may enter. Changes nothing, except that a correct password or an invite grants access.
   * @throws AppError room_not_found, banned, network_banned, password_required, wrong_password, guests_not_admitted,
   *   rate_limited
   */
  admit(roomId: string, user: Visitor, key: AddressedKey): Promise<RoomRow>
  /**
   * Makes an admitted user a present member. Idempotent; resolves to whether they were absent before.
   * @throws AppError banned or network_banned, if they were banned since they were admitted
   */
  enter(room: RoomRow, user: SessionUser, holderId: string): Promise<boolean>
  /** Releases one lease on purpose. The membership ends at once if it was the user's last lease. */
  leave(lease: LeaseKey): Promise<void>
  /** Ends the user's membership on all their connections. Idempotent; resolves to whether they were a member. */
  leaveEverywhere(roomId: string, userId: string, reason?: RemovalReason): Promise<boolean>
  /** Ends all memberships of a room that was deleted, in all processes. */
  closeRoom(roomId: string, reason: string): Promise<void>
  /**
   * Starts the grace period of a socket that disconnected, so that a reload does not flicker. One that may not return, as its
   * session ended, leaves its rooms.
   */
  disconnect(socketId: string, options?: { mayReturn: boolean }): Promise<void>
  /**
   * Keeps a member present who calls over HTTP and may have no socket.
   * @throws AppError room_not_found, not_a_member, banned
   */
  requireMember(roomId: string, user: SessionUser): Promise<RoomRow>
  /** Renews the leases held by this process's sockets. */
  renewLeases(): Promise<void>
  /** Expires presence leases of all processes, and ends the memberships that depend on them. */
  expireLeases(): Promise<void>
  /**
   * Removes memberships whose user is not present: left behind by a process that died, or by clients that did not reconnect
   * after a restart. Recent ones are kept: their user may be in the middle of joining. Resolves to the number removed.
   */
  removeOrphans(): Promise<number>
}

interface MembershipParts {
  db: Db
  clock: Clock
  events: EventBus
  presence: Presence
  access: RoomAccess
}

type Parts = MembershipParts & StoredMembershipsParts

export function createMembership(given: MembershipParts): Membership {
  const { db, events, presence } = given
  const parts: Parts = { ...given, statements: createJoinStatements(given) }
  const { statements } = parts
  const held = createHeldLeases(events)
  /** Release waits for running renewals, which would otherwise acquire the lease again. */
  const renewals = createCoalescedRun(createLeaseRenewal(parts, held))
  const leaveEverywhere = createRemoval(parts, held, renewals)
  const startGracePeriod = createGracePeriods(presence)
  events.on('profileChanged', ({ userId }) => announceProfile(parts, held, userId))

  return {
    async admit(roomId, user, key) {
      const room = await requireRoom(parts, roomId)
      const [isBanned, isAddressBanned] = await Promise.all([
        statements.isBanned({ roomId, userId: user.id }),
        statements.isAddressBanned(roomId, user),
      ])
      if (isBanned) throw new AppError('banned')
      if (isAddressBanned) throw new AppError('network_banned')
      await parts.access.admit(room, user, key)
      return room
    },
    async enter(room, user, holderId) {
      const wasAbsent = await enterRoom(parts, held, toLease(room, await refreshNames(parts, user), holderId))
      if (!(await statements.isAddressBanned(room.id, user))) return wasAbsent
      await leaveEverywhere(room.id, user.id, 'banned')
      throw new AppError('network_banned')
    },
    async leave(lease) {
      held.remove(lease)
      await renewals.idle()
      await endMemberships(parts, await presence.leave([lease]))
      await events.emit('memberDropped', { roomId: lease.roomId })
    },
    leaveEverywhere,
    async closeRoom(roomId, reason) {
      await events.emit('roomClosed', { roomId, reason, isRemote: false })
      await renewals.idle()
      await releaseAll(presence, roomId)
    },
    async disconnect(socketId, { mayReturn } = { mayReturn: true }) {
      const leases = held.removeHolder(socketId).map((lease) => ({ ...lease, isConnected: false }))
      await renewals.idle()
      if (!mayReturn) await endMemberships(parts, await presence.leave(leases))
      else if (leases.length > 0) await startGracePeriod(leases)
      for (const { roomId } of leases) await events.emit('memberDropped', { roomId })
    },
    async requireMember(roomId, user) {
      const room = await requireRoom(parts, roomId)
      if (!(await isMember(db, roomId, user.id))) throw new AppError('not_a_member')
      // The membership is stored: where presence is away, the call goes on.
      await keepPresent(parts, toLease(room, user, httpHolderId)).catch(ignoreUnavailable)
      return room
    },
    renewLeases: () => renewals.request(),
    expireLeases: () => expireLeases(parts),
    removeOrphans: () => removeOrphans(parts),
  }
}

/**
 * Returns a function that starts the grace period of a socket's leases. Sockets that disconnect while a call runs share the
 * next one: a line that breaks ends all of a room at once.
 */
function createGracePeriods(presence: Presence): (leases: Lease[]) => Promise<void> {
  return createBatched(async (ofSockets: readonly Lease[][]) => {
    const absent = await presence.acquire(ofSockets.flat(), serverLimits.presenceGraceMs)
    // They have no membership any more: another process removed or expired them.
    await presence.release(absent)
    return ofSockets.map(() => {})
  })
}

/** Returns `leaveEverywhere`, and carries out the bans of other processes. */
function createRemoval(
  parts: Parts,
  held: HeldLeases,
  renewals: CoalescedRun,
): Membership['leaveEverywhere'] {
  const { db, events, presence } = parts
  /** Resolves to whether the user was a member. */
  const remove = async (roomId: string, userId: string): Promise<boolean> => {
    held.removeUser(roomId, userId)
    await renewals.idle()
    const wasPresent = await presence.releaseUser(roomId, userId)
    if (!wasPresent && !(await isMember(db, roomId, userId))) return false
    await endMemberships(parts, [{ roomId, userId }])
    return true
  }
  events.on('userRemoved', async ({ roomId, userId, reason, isRemote }) => {
    // A renewal here may have acquired the lease again before the ban was known.
    if (!isRemote || reason !== 'banned' || !(await remove(roomId, userId))) return
    await events.emit('memberDropped', { roomId })
  })
  return async (roomId, userId, reason = 'left') => {
    const wasMember = await remove(roomId, userId)
    // A process that did not hear of an earlier removal still serves them.
    if (!wasMember && reason === 'left') return false
    void events.emit('userRemoved', { roomId, userId, reason, isRemote: false, isAgain: !wasMember })
    await events.emit('memberDropped', { roomId })
    return wasMember
  }
}

/** Shows the other members the new name and picture of one who holds leases here. */
async function announceProfile(parts: Parts, held: HeldLeases, userId: string): Promise<void> {
  const profile = await parts.statements.findProfile(userId)
  const leases = held.listOf(userId)
  if (!profile || leases.length === 0) return
  const { username, avatar_url } = profile
  const renamed = leases.map((lease) => ({ ...lease, member: { ...lease.member, username, avatar_url } }))
  for (const lease of renamed) held.add(lease)
  await parts.presence.acquire(renamed, serverLimits.presenceLeaseMs)
  const rooms = new Map(renamed.map((lease) => [lease.roomId, lease.member]))
  for (const [roomId, { is_owner }] of rooms) {
    await parts.events.emit('membersChanged', { roomId })
    if (is_owner) await parts.events.emit('roomEdited', { roomId })
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
    const released = []
    for (const { id } of members) released.push(await presence.releaseUser(roomId, id))
    // Also where a Redis that lost a part of its data lists somebody without a lease.
    if (!released.includes(true)) return
  }
}

async function requireRoom({ statements }: Parts, roomId: string): Promise<RoomRow> {
  return orRoomNotFound(await statements.findRoom(roomId))
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

/** Resolves to whether the user was absent before. Where it fails, the holder has no lease that it did not have before. */
async function enterRoom(parts: Parts, held: HeldLeases, lease: Lease): Promise<boolean> {
  if (lease.holderId === httpHolderId) return await acquire(parts, lease, serverLimits.httpPresenceLeaseMs)
  const wasHeld = held.has(lease)
  held.add(lease)
  try {
    return await acquire(parts, lease, serverLimits.presenceLeaseMs)
  } catch (error) {
    if (!wasHeld || isRefused(error)) {
      held.remove(lease)
      await parts.presence.release([lease])
    }
    throw error
  }
}

/** Resolves to whether the user was absent before. */
async function acquire(parts: Parts, lease: Lease, ttlMs: number): Promise<boolean> {
  const [newcomer] = await parts.presence.acquire([lease], ttlMs)
  const { roomId, userId, member } = lease
  if (!newcomer) {
    await storeAgain(parts, lease)
    return false
  }
  await addMember(parts, newcomer)
  if (member.is_owner) void parts.events.emit('ownerArrived', { roomId, ownerId: userId })
  return true
}

function ignoreUnavailable(error: unknown): void {
  if (!isUnavailable(error)) throw error
}

/** Renews or acquires the HTTP lease, unless a socket keeps the member present. */
async function keepPresent(parts: Parts, lease: Lease): Promise<void> {
  if (await parts.presence.renew(lease, serverLimits.httpPresenceLeaseMs)) return
  const present = await parts.presence.findPresent(lease.roomId, [lease.userId])
  if (!present.has(lease.userId)) await acquire(parts, lease, serverLimits.httpPresenceLeaseMs)
}
