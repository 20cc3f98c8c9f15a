import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { SessionUser } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { findProfile } from '../db/profiles.ts'
import { type RoomRow, findRoom } from '../db/rooms.ts'
import { deleteMemberships, insertMembership, isMember } from '../db/user-rooms.ts'
import type { RoomAccess } from '../rooms/room-access.ts'
import { type HeldSeats, createHeldSeats } from './presence-leases.ts'
import type { Departure, Presence, Seat, SeatKey } from './presence.ts'
import type { RoomBroadcasts } from '../rooms/room-events.ts'

/** Joining and leaving: who is present holds a seat, and whoever holds a seat has a membership row. */
export interface Membership {
  /**
   * Whether the user may enter; nothing changes but that a right password is remembered.
   * @throws AppError room_not_found, password_required, wrong_password, rate_limited
   */
  admit(roomId: string, userId: string, password: string | null): Promise<RoomRow>
  /** Makes an admitted user a member who is present. Idempotent; resolves to whether they were not there before. */
  enter(room: RoomRow, user: SessionUser, seatId: string): Promise<boolean>
  /** One seat is given up on purpose: the member is gone at once where it was their last. */
  leave(seat: SeatKey): Promise<void>
  /** The user is gone from the room, wherever they sit. Idempotent. */
  leaveEverywhere(roomId: string, userId: string): Promise<void>
  /** The sockets of this process no longer sit in the room for the user: another process took them out. */
  forget(roomId: string, userId: string): void
  /** A socket dropped: its seats are kept for the grace, so that a reload does not flicker. */
  drop(seatId: string): Promise<void>
  /**
   * Keeps a member present who calls over HTTP and may have no socket.
   * @throws AppError room_not_found, not_a_member
   */
  requireMember(roomId: string, user: SessionUser): Promise<RoomRow>
  /** Renews the leases of the seats of this process. */
  renew(): Promise<void>
  /** Lets go of whoever's leases ran out, in any process. */
  expire(): Promise<void>
}

export interface MembershipParts {
  db: Db
  clock: Clock
  presence: Presence
  access: RoomAccess
  broadcasts: RoomBroadcasts
  /** The owner came into their room, and was not there before. */
  ownerArrived(roomId: string, ownerId: string): void
  /** Somebody is not there any more, or not for now, whom the room may wait for. Must not reject. */
  memberDropped(roomId: string): Promise<void>
}

/** The seat of a member who calls over HTTP. */
export const httpSeatId = 'http'

/** Seats renewed in one call. */
const renewBatchSize = 500

export function createMembership(parts: MembershipParts): Membership {
  const { db, presence } = parts
  const held = createHeldSeats()
  /** Whoever gives a seat up waits for it: a renewal that overtook them would take the seat again. */
  let renewal: Promise<unknown> = Promise.resolve()

  return {
    async admit(roomId, userId, password) {
      const room = await requireRoom(db, roomId)
      await parts.access.admit(room, userId, password)
      return room
    },
    async enter(room, user, seatId) {
      const seat = toSeat(room, await refreshNames(db, user), seatId)
      if (seatId === httpSeatId) return await take(parts, seat, limits.httpPresenceLeaseMs)
      held.add(seat)
      return await take(parts, seat, limits.presenceLeaseMs)
    },
    async leave(seat) {
      held.remove(seat)
      await Promise.allSettled([renewal])
      await endMemberships(parts, await presence.release([seat]))
      await parts.memberDropped(seat.roomId)
    },
    async leaveEverywhere(roomId, userId) {
      held.removeUser(roomId, userId)
      await Promise.allSettled([renewal])
      const wasPresent = await presence.releaseUser(roomId, userId)
      if (!wasPresent && !(await isMember(db, roomId, userId))) return
      await endMemberships(parts, [{ roomId, userId }])
      parts.broadcasts.userRemoved(roomId, userId)
      await parts.memberDropped(roomId)
    },
    forget: (roomId, userId) => held.removeUser(roomId, userId),
    async drop(seatId) {
      const seats = held.takeSocket(seatId).map((seat) => ({ ...seat, isConnected: false }))
      await Promise.allSettled([renewal])
      await presence.hold(seats, limits.presenceGraceMs)
      for (const { roomId } of seats) await parts.memberDropped(roomId)
    },
    async requireMember(roomId, user) {
      const room = await requireRoom(db, roomId)
      if (!(await isMember(db, roomId, user.id))) throw new AppError('not_a_member')
      await keepPresent(parts, toSeat(room, user, httpSeatId))
      return room
    },
    async renew() {
      renewal = renewSeats(parts, held)
      await renewal
    },
    async expire() {
      const departures = await presence.expire()
      await endMemberships(parts, departures)
      for (const roomId of new Set(departures.map((each) => each.roomId))) await parts.memberDropped(roomId)
    },
  }
}

async function renewSeats(parts: MembershipParts, held: HeldSeats): Promise<void> {
  const seats = held.list()
  for (let start = 0; start < seats.length; start += renewBatchSize) {
    const batch = seats.slice(start, start + renewBatchSize).filter((seat) => held.has(seat))
    const newcomers = await parts.presence.hold(batch, limits.presenceLeaseMs)
    for (const seat of newcomers) await welcome(parts, seat)
  }
}

async function requireRoom(db: Db, roomId: string): Promise<RoomRow> {
  const room = await findRoom(db, roomId)
  if (!room) throw new AppError('room_not_found')
  return room.row
}

/** A socket may live longer than the names that its user had when it connected. */
async function refreshNames(db: Db, user: SessionUser): Promise<SessionUser> {
  const profile = await findProfile(db, user.id)
  return profile ? { ...user, username: profile.username, avatarUrl: profile.avatar_url } : user
}

function toSeat(room: RoomRow, user: SessionUser, seatId: string): Seat {
  const member: Member = {
    id: user.id,
    username: user.username,
    avatar_url: user.avatarUrl,
    is_owner: user.id === room.owner_id,
  }
  return { roomId: room.id, userId: user.id, seatId, member, isConnected: seatId !== httpSeatId }
}

async function take(parts: MembershipParts, seat: Seat, leaseMs: number): Promise<boolean> {
  const [newcomer] = await parts.presence.hold([seat], leaseMs)
  if (!newcomer) {
    await writeMembership(parts, seat)
    return false
  }
  await welcome(parts, newcomer)
  if (seat.member.is_owner) parts.ownerArrived(seat.roomId, seat.userId)
  return true
}

async function welcome(parts: MembershipParts, seat: Seat): Promise<void> {
  await writeMembership(parts, seat)
  parts.broadcasts.memberJoined(seat.roomId, seat.member)
}

async function writeMembership({ db, clock }: MembershipParts, seat: Departure): Promise<void> {
  await insertMembership(db, { userId: seat.userId, roomId: seat.roomId, joinedAtMs: clock.now() })
}

/** A member who has a socket stays present by it; one who has none holds a seat by calling. */
async function keepPresent(parts: MembershipParts, seat: Seat): Promise<void> {
  if (await parts.presence.extend(seat, limits.httpPresenceLeaseMs)) return
  const present = await parts.presence.findPresent(seat.roomId, [seat.userId])
  if (!present.has(seat.userId)) await take(parts, seat, limits.httpPresenceLeaseMs)
}

async function endMemberships(parts: MembershipParts, departures: Departure[]): Promise<void> {
  const byRoom = Map.groupBy(departures, (departure) => departure.roomId)
  for (const [roomId, gone] of byRoom) {
    const userIds = gone.map((departure) => departure.userId)
    await deleteMemberships(parts.db, roomId, userIds)
    // Somebody who came back in the meantime keeps their row.
    const back = await parts.presence.findPresent(roomId, userIds)
    for (const userId of back) await writeMembership(parts, { roomId, userId })
    parts.broadcasts.membersChanged(roomId)
  }
}
