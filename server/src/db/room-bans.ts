import { createHash } from 'node:crypto'
import type { Clock } from '@earshot/core/clock'
import { unknownUsername } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { RoomBan } from '@earshot/core/protocol/moderation-calls'
import { sql } from 'kysely'
import { addressKey } from '../address-key.ts'
import type { Db } from './database.ts'
import { serverLimits } from '../server-limits.ts'

/** The bans of rooms. They are stored, so they outlast connections, invites and restarts (17.31). */

const fullText = `This room has ${serverLimits.roomBansMax} bans, the most it can have. Lift one first`

interface BanParts {
  db: Db
  clock: Clock
}

export interface BanKey {
  roomId: string
  userId: string
}

/** Resolves to whether each user is banned from the room, in the same order. */
export async function findBanned(db: Db, keys: readonly BanKey[]): Promise<boolean[]> {
  const roomIds = [...new Set(keys.map(({ roomId }) => roomId))]
  const userIds = [...new Set(keys.map(({ userId }) => userId))]
  const rows = await db
    .selectFrom('room_bans')
    .select(['room_id', 'user_id'])
    .where('room_id', 'in', roomIds)
    .where('user_id', 'in', userIds)
    .execute()
  const banned = new Set(rows.map((row) => `${row.room_id} ${row.user_id}`))
  return keys.map(({ roomId, userId }) => banned.has(`${roomId} ${userId}`))
}

/** The ban of a guest, which refuses those who come from the same address after it. */
interface AddressBan {
  hash: string
  atMs: number
}

/** Lists the bans of guests since a time, by room. */
export async function listAddressBans(
  db: Db,
  roomIds: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, AddressBan[]>> {
  const rows = await db
    .selectFrom('room_bans')
    .select(['room_id', 'address_hash', 'created_at'])
    .where('room_id', 'in', roomIds)
    .where('address_hash', 'is not', null)
    .where('created_at', '>', Math.round(sinceMs))
    .execute()
  const byRoom = Map.groupBy(rows, (row) => row.room_id)
  return new Map([...byRoom].map(([roomId, bans]) => [roomId, bans.flatMap(toAddressBan)]))
}

function toAddressBan(row: { address_hash: string | null; created_at: number }): AddressBan[] {
  return row.address_hash === null ? [] : [{ hash: row.address_hash, atMs: row.created_at }]
}

/**
 * Resolves to whether a guest is from the address of one of these bans of the room, and was created after it. Earlier guests
 * only share the address. Most rooms have no such bans: nothing is read then.
 */
export async function isAmongBans(
  db: Db,
  bans: readonly AddressBan[],
  { roomId, userId }: BanKey,
): Promise<boolean> {
  if (bans.length === 0) return false
  const { hashes, cameAtMs } = await readGuest(db, roomId, userId)
  return bans.some(({ hash, atMs }) => atMs <= cameAtMs && hashes.includes(hash))
}

/** Resolves to when a guest came, and to the hashes of the addresses from which they signed in; to none for an account. */
async function readGuest(
  db: Db,
  roomId: string,
  userId: string,
): Promise<{ hashes: string[]; cameAtMs: number }> {
  const { rows } = await sql<{ address: string | null; cameAtMs: number | string }>`
    select distinct "session"."ipAddress" as "address", "profiles"."created_at" as "cameAtMs" from "session"
    join "profiles" on "profiles"."id" = "session"."userId"
    where "session"."userId" = ${userId} and "profiles"."is_guest" = 1 limit 20`.execute(db)
  return {
    hashes: rows.flatMap(({ address }) => (address ? hashAddress(roomId, address) : [])),
    cameAtMs: Number(rows[0]?.cameAtMs ?? 0),
  }
}

/** The room is part of it, so that hashes of two rooms cannot be compared. */
function hashAddress(roomId: string, address: string): string {
  return createHash('sha256')
    .update(`${roomId} ${addressKey(address)}`)
    .digest('base64url')
}

/**
 * Stores a ban, and withdraws the user's admission to a private room. Idempotent.
 * @throws AppError invalid_input if the room has `serverLimits.roomBansMax` others
 */
export async function insertBan(
  { db, clock }: BanParts,
  ban: { roomId: string; userId: string; bannedBy: string },
): Promise<boolean> {
  const { roomId, userId, bannedBy } = ban
  const created_at = Math.round(clock.now())
  const { hashes } = await readGuest(db, roomId, userId)
  const [address_hash = null] = hashes
  return db.transaction().execute(async (change) => {
    const { count } = await change
      .selectFrom('room_bans')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('room_id', '=', roomId)
      .where('user_id', '!=', userId)
      .executeTakeFirstOrThrow()
    if (count >= serverLimits.roomBansMax) throw new AppError('invalid_input', fullText)
    const { numInsertedOrUpdatedRows = 0n } = await change
      .insertInto('room_bans')
      .values({ room_id: roomId, user_id: userId, banned_by: bannedBy, address_hash, created_at })
      .onConflict((conflict) => conflict.columns(['room_id', 'user_id']).doNothing())
      .executeTakeFirstOrThrow()
    await change
      .updateTable('room_bans')
      .set({ address_hash: null })
      .where('created_at', '<', created_at - serverLimits.guestBanMs)
      .where('address_hash', 'is not', null)
      .execute()
    await change
      .deleteFrom('room_access')
      .where('room_id', '=', roomId)
      .where('user_id', '=', userId)
      .execute()
    return numInsertedOrUpdatedRows > 0n
  })
}

/** Makes the bans of a guest those of the account that the guest signed in to, but from its own rooms. */
export async function moveBans(db: Db, guestId: string, userId: string): Promise<void> {
  const owned = db.selectFrom('rooms').select('id').where('owner_id', '=', userId)
  const bans = await db
    .selectFrom('room_bans')
    .selectAll()
    .where('user_id', '=', guestId)
    .where('room_id', 'not in', owned)
    .execute()
  if (bans.length === 0) return
  await db
    .insertInto('room_bans')
    .values(bans.map((ban) => ({ ...ban, user_id: userId })))
    .onConflict((conflict) => conflict.columns(['room_id', 'user_id']).doNothing())
    .execute()
}

/** Idempotent. */
export async function deleteBan(db: Db, roomId: string, userId: string): Promise<void> {
  await db.deleteFrom('room_bans').where('room_id', '=', roomId).where('user_id', '=', userId).execute()
}

/** Lists the bans of a room, latest first. */
export async function listBans(db: Db, roomId: string): Promise<RoomBan[]> {
  const rows = await db
    .selectFrom('room_bans')
    .leftJoin('profiles', 'profiles.id', 'room_bans.user_id')
    .select(['room_bans.user_id', 'room_bans.created_at', 'profiles.username', 'profiles.avatar_url'])
    .where('room_bans.room_id', '=', roomId)
    .orderBy('room_bans.created_at', 'desc')
    .orderBy('room_bans.user_id')
    .limit(serverLimits.roomBansMax)
    .execute()
  return rows.map((row) => ({ ...row, username: row.username ?? unknownUsername }))
}
