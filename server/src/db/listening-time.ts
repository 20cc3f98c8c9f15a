import { sourceSchema, type Source } from '@earshot/core/protocol/entities'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** The time that users listened (2.32): one row per user. All times in ms. */

/** A user who listens to a source since an instant. */
export interface Listener {
  userId: string
  source: Source
  sinceMs: number
}

interface ListeningTime {
  bySource: Record<Source, number>
  countedUntilMs: number
}

/** Which members to read: of one room or of all, all or some of them; in pages by user. */
export interface MemberFilter {
  roomId?: string
  userIds?: string[]
  after?: string
  limit: number
}

const columns = { library: 'library_ms', spotify: 'spotify_ms', youtube: 'youtube_ms' } as const

/** Lists the members of rooms that play, by user. A user in several such rooms is listed several times. */
export async function listListeners(db: Db, filter: MemberFilter & { nowMs: number }): Promise<Listener[]> {
  const rows = await selectMembers(db, filter)
    .innerJoin('rooms', 'rooms.id', 'user_rooms.room_id')
    .innerJoin('tracks', 'tracks.id', 'rooms.current_track_id')
    .select(['user_rooms.user_id', 'user_rooms.joined_at', 'rooms.last_updated', 'tracks.source'])
    .where('rooms.is_playing', '=', 1)
    .where('rooms.last_updated', '<', Math.round(filter.nowMs))
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    source: sourceSchema.parse(row.source),
    sinceMs: Math.max(row.joined_at, row.last_updated),
  }))
}

function selectMembers(db: Db, { roomId, userIds, after, limit }: MemberFilter) {
  let query = db.selectFrom('user_rooms').orderBy('user_rooms.user_id').limit(limit)
  if (roomId !== undefined) query = query.where('user_rooms.room_id', '=', roomId)
  if (userIds !== undefined) query = query.where('user_rooms.user_id', 'in', userIds)
  if (after !== undefined) query = query.where('user_rooms.user_id', '>', after)
  return query
}

/**
 * Adds the time from each listener's `sinceMs` until `untilMs`, each user at most once. What was already counted of it,
 * for another room or by another process, is not counted again.
 */
export async function addListeningTime(db: Db, listeners: Listener[], untilMs: number): Promise<void> {
  if (listeners.length === 0) return
  await db
    .insertInto('listening_time')
    .values(listeners.map((listener) => toRow(listener, Math.round(untilMs))))
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(uncountedTimes()))
    .execute()
}

/** The time in which members of a room listened to a source; it is not counted before they joined. */
interface RoomListening {
  roomId: string
  source: Source
  sinceMs: number
  untilMs: number
}

/**
 * Adds the time of a page of a room's members, those after `after` by user, as `addListeningTime` does. The database
 * reads and writes it by itself: the members of a room may be thousands. Resolves to the last of them; null where there
 * are no more.
 */
export async function addRoomListeningTime(
  db: Db,
  { roomId, source, ...times }: RoomListening,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`select max(user_id) as last from (
    select user_id from user_rooms where room_id = ${roomId} and user_id > ${after} order by user_id limit ${limit}
  ) as page`.execute(db)
  const last = rows[0]?.last ?? null
  if (last === null) return null
  const [sinceMs, untilMs] = [Math.round(times.sinceMs), Math.round(times.untilMs)]
  const heard = sql<number>`${untilMs} - case when joined_at > ${sinceMs} then joined_at else ${sinceMs} end`
  const timeOf = (each: Source) => (each === source ? heard : sql<number>`0`).as(columns[each])
  await db
    .insertInto('listening_time')
    .columns(['user_id', 'library_ms', 'spotify_ms', 'youtube_ms', 'counted_until'])
    .expression((eb) =>
      eb
        .selectFrom('user_rooms')
        .select(['user_id', timeOf('library'), timeOf('spotify'), timeOf('youtube')])
        .select(sql<number>`cast(${untilMs} as bigint)`.as('counted_until'))
        .where('room_id', '=', roomId)
        .where('user_id', '>', after)
        .where('user_id', '<=', last)
        .where('joined_at', '<', untilMs)
        // As all who count: rows that are locked in another order end in a deadlock.
        .orderBy('user_id'),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(uncountedTimes()))
    .execute()
  return last
}

const uncountedTimes = () => ({
  library_ms: addUncounted('library_ms'),
  spotify_ms: addUncounted('spotify_ms'),
  youtube_ms: addUncounted('youtube_ms'),
  counted_until: sql<number>`case when excluded.counted_until > listening_time.counted_until
    then excluded.counted_until else listening_time.counted_until end`,
})

function toRow({ userId, source, sinceMs }: Listener, untilMs: number) {
  const none = { library_ms: 0, spotify_ms: 0, youtube_ms: 0 }
  const elapsedMs = Math.max(0, untilMs - Math.round(sinceMs))
  return { user_id: userId, ...none, [columns[source]]: elapsedMs, counted_until: untilMs }
}

/** The new row's time, as far as it is later than the stored row's `counted_until`. */
function addUncounted(name: (typeof columns)[Source]): RawBuilder<number> {
  const stored = sql.ref(`listening_time.${name}`)
  const added = sql.ref(`excluded.${name}`)
  const uncounted = sql`(excluded.counted_until - listening_time.counted_until)`
  return sql`${stored} + case when ${uncounted} <= 0 then 0
    when ${added} < ${uncounted} then ${added} else ${uncounted} end`
}

/** Returns the time that a user listened; null before the first. */
export async function findListeningTime(db: Db, userId: string): Promise<ListeningTime | null> {
  const row = await db
    .selectFrom('listening_time')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const bySource = { library: row.library_ms, spotify: row.spotify_ms, youtube: row.youtube_ms }
  return { bySource, countedUntilMs: row.counted_until }
}
