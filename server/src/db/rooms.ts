import { limits } from '@earshot/core/limits'
import type { Track, QueueEntry } from '@earshot/core/protocol/entities'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { type Db, lockRow } from './database.ts'
import type { Database, RoomsTable, RoomTracksTable } from './schema.ts'
import { toTrack } from './tracks.ts'

/** The rooms (7.1), each read in one statement with its current track, and their queues. */

export type RoomRow = Selectable<RoomsTable>

/** The columns that a change of playback or queue may write. */
const playbackColumns = [
  'is_playing',
  'current_position',
  'last_updated',
  'current_track_id',
  'sequence_number',
  'playback_state',
  'due_at',
  'controller_id',
] as const

export type RoomPlaybackColumns = Pick<RoomRow, (typeof playbackColumns)[number]>

export interface RoomWithTrack {
  row: RoomRow
  track: Track | null
}

/** A room with its owner's profile (null where there is none) and its number of members. */
export interface ListedRoom extends RoomWithTrack {
  owner: { username: string; avatarUrl: string | null } | null
  controllerName: string | null
  listeners: number
}

const trackColumns = [
  'tracks.id as track_id',
  'tracks.title as track_title',
  'tracks.artist as track_artist',
  'tracks.album as track_album',
  'tracks.duration as track_duration',
  'tracks.source as track_source',
  'tracks.album_art as track_album_art',
  'tracks.url as track_url',
  'tracks.uri as track_uri',
  'tracks.isrc as track_isrc',
  'tracks.restriction as track_restriction',
] as const

/** Counts the rooms that a user created. */
export async function countOwnedRooms(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('rooms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertRoom(db: Db, row: RoomRow): Promise<void> {
  await db.insertInto('rooms').values(row).execute()
}

/**
 * Locks the room's row until the transaction ends and returns it. Without its track: after waiting for the lock,
 * PostgreSQL would join the row's old version.
 */
export async function lockRoom(db: Db, roomId: string): Promise<RoomRow | null> {
  const query = db.selectFrom('rooms').selectAll().where('id', '=', roomId)
  return (await lockRow(query, 'rooms').executeTakeFirst()) ?? null
}

export async function findRoom(db: Db, roomId: string): Promise<RoomWithTrack | null> {
  return (await findRooms(db, [roomId])).get(roomId) ?? null
}

/** Finds rooms with their current tracks, by id. */
export async function findRooms(db: Db, roomIds: readonly string[]): Promise<Map<string, RoomWithTrack>> {
  const rows = await selectWithTrack(db).where('rooms.id', 'in', roomIds).execute()
  return new Map(rows.map((row) => [row.id, toRoomWithTrack(row)]))
}

export async function findOwnerId(db: Db, roomId: string): Promise<string | null> {
  const row = await db.selectFrom('rooms').select('owner_id').where('id', '=', roomId).executeTakeFirst()
  return row?.owner_id ?? null
}

export async function findListedRoom(db: Db, roomId: string): Promise<ListedRoom | null> {
  const row = await selectListed(db).where('rooms.id', '=', roomId).executeTakeFirst()
  return row ? toListedRoom(row) : null
}

/** Lists rooms in which the server must act by `untilMs`, the earliest first. */
export async function listDueRooms(
  db: Db,
  untilMs: number,
  limit: number,
): Promise<{ id: string; dueAtMs: number }[]> {
  const rows = await db
    .selectFrom('rooms')
    .select(['id', 'due_at'])
    .where('due_at', '<=', Math.ceil(untilMs))
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => (row.due_at === null ? [] : [{ id: row.id, dueAtMs: row.due_at }]))
}

/** Lists the ids of the rooms that play or are about to. */
export async function listRunningRooms(db: Db): Promise<string[]> {
  const query = db.selectFrom('rooms').select('id')
  const rows = await query
    .where((eb) => eb.or([eb('is_playing', '=', 1), eb('due_at', 'is not', null)]))
    .execute()
  return rows.map((row) => row.id)
}

/** Lists the ids of up to 500 rooms that were stamped later than `atMs`. */
export async function listRoomsAheadOf(db: Db, atMs: number): Promise<string[]> {
  const query = db.selectFrom('rooms').select('id').where('last_updated', '>', Math.ceil(atMs))
  const rows = await query
    .where((eb) => eb.or([eb('is_playing', '=', 1), eb('due_at', 'is not', null)]))
    .limit(500)
    .execute()
  return rows.map((row) => row.id)
}

/** Lists the ids of the rooms in which a track is current. */
export async function listRoomsWithCurrentTrack(db: Db, trackId: string): Promise<string[]> {
  const rows = await db.selectFrom('rooms').select('id').where('current_track_id', '=', trackId).execute()
  return rows.map((row) => row.id)
}

/** Updates a room. With `expected`, changes nothing unless the room is still as in that row. Resolves to whether it did. */
export async function updateRoomPlayback(
  db: Db,
  roomId: string,
  { columns, expected }: { columns: RoomPlaybackColumns; expected: RoomRow | null },
): Promise<boolean> {
  let update = db.updateTable('rooms').set(columns).where('id', '=', roomId)
  for (const name of expected ? ([...playbackColumns, 'owner_id', 'settings'] as const) : []) {
    update = update.where(name, 'is not distinct from', expected?.[name] ?? null)
  }
  return (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n
}

function selectWithTrack(db: Db) {
  return db
    .selectFrom('rooms')
    .leftJoin('tracks', 'tracks.id', 'rooms.current_track_id')
    .selectAll('rooms')
    .select(trackColumns)
}

/** Selects rooms with what a list shows of them; `toListedRoom` reads the result. */
export function selectListed(db: Db) {
  return selectWithTrack(db)
    .leftJoin('profiles', 'profiles.id', 'rooms.owner_id')
    .leftJoin('profiles as controllers', 'controllers.id', 'rooms.controller_id')
    .select(['profiles.username as owner_username', 'profiles.avatar_url as owner_avatar_url'])
    .select('controllers.username as controller_name')
    .select((eb) => countListeners(eb).as('listeners'))
}

function countListeners(eb: ExpressionBuilder<Database, 'rooms'>) {
  return eb
    .selectFrom('user_rooms')
    .whereRef('user_rooms.room_id', '=', 'rooms.id')
    .select((inner) => inner.fn.countAll<number>().as('count'))
}

type WithTrackResult = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectWithTrack>['executeTakeFirst']>>
>
type ListedResult = NonNullable<Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirst']>>>

function toRoomWithTrack(result: WithTrackResult): RoomWithTrack {
  const row: RoomRow = {
    id: result.id,
    name: result.name,
    owner_id: result.owner_id,
    is_public: result.is_public,
    password: result.password,
    preferred_source: result.preferred_source,
    is_playing: result.is_playing,
    current_position: result.current_position,
    last_updated: result.last_updated,
    current_track_id: result.current_track_id,
    sequence_number: result.sequence_number,
    playback_state: result.playback_state,
    due_at: result.due_at,
    created_at: result.created_at,
    settings: result.settings,
    controller_id: result.controller_id,
    search_text: result.search_text,
  }
  return { row, track: toJoinedTrack(result) }
}

export function toListedRoom(result: ListedResult): ListedRoom {
  const owner =
    result.owner_username === null
      ? null
      : { username: result.owner_username, avatarUrl: result.owner_avatar_url }
  const listeners = result.listeners ?? limits.listenerCountDefault
  return { ...toRoomWithTrack(result), owner, controllerName: result.controller_name, listeners }
}

/** Returns the track of a left join, whose columns are all null or none. */
function toJoinedTrack(result: WithTrackResult): Track | null {
  if (result.track_id === null) return null
  return toTrack({
    id: result.track_id,
    title: result.track_title ?? '',
    artist: result.track_artist ?? '',
    album: result.track_album ?? '',
    duration: result.track_duration,
    source: result.track_source ?? '',
    album_art: result.track_album_art,
    url: result.track_url,
    uri: result.track_uri,
    isrc: result.track_isrc,
    restriction: result.track_restriction,
  })
}

/** The queue of each room (7.5). Positions are always 0 to n-1; only the room store writes here. */

/** Lists the queue in order, each entry with its track. */
export async function listQueue(db: Db, roomId: string): Promise<QueueEntry[]> {
  const rows = await db
    .selectFrom('room_tracks')
    .innerJoin('tracks', 'tracks.id', 'room_tracks.track_id')
    .leftJoin('profiles', 'profiles.id', 'room_tracks.added_by')
    .selectAll('tracks')
    .select(['room_tracks.entry_id', 'room_tracks.position', 'room_tracks.added_by', 'profiles.username'])
    .where('room_tracks.room_id', '=', roomId)
    .orderBy('room_tracks.position')
    .execute()
  return rows.map((row) => ({
    ...toTrack(row),
    entry_id: row.entry_id,
    position: row.position,
    added_by: row.added_by,
    ...(row.username === null ? {} : { added_by_name: row.username }),
  }))
}

/** Lists the ids of a room's current track and of the first entries of its queue, at most `count`. */
export async function listUpcomingTrackIds(db: Db, roomId: string, count: number): Promise<string[]> {
  const [room, entries] = await Promise.all([
    db.selectFrom('rooms').select('current_track_id').where('id', '=', roomId).executeTakeFirst(),
    db
      .selectFrom('room_tracks')
      .select('track_id')
      .where('room_id', '=', roomId)
      .orderBy('position')
      .limit(count)
      .execute(),
  ])
  const ids = [room?.current_track_id ?? [], ...entries.map((entry) => entry.track_id)].flat()
  return [...new Set(ids)].slice(0, count)
}

export async function deleteQueueEntries(db: Db, roomId: string, entryIds: string[]): Promise<void> {
  await db.deleteFrom('room_tracks').where('room_id', '=', roomId).where('entry_id', 'in', entryIds).execute()
}

/** Moves the entries of each range by its distance, in one statement. Ranges do not overlap. */
export async function moveQueueRanges(
  db: Db,
  roomId: string,
  ranges: { first: number; count: number; by: number }[],
): Promise<void> {
  const position = sql.ref('position')
  const last = (range: { first: number; count: number }): number => range.first + range.count - 1
  const cases = ranges.map(
    (range) => sql`when ${position} between ${range.first} and ${last(range)} then ${position} + ${range.by}`,
  )
  await db
    .updateTable('room_tracks')
    .set({ position: sql<number>`case ${sql.join(cases, sql` `)} else ${position} end` })
    .where('room_id', '=', roomId)
    .where('position', '>=', Math.min(...ranges.map((range) => range.first)))
    .where('position', '<=', Math.max(...ranges.map(last)))
    .execute()
}

/** Inserts entries; of an existing one, updates the position only. */
export async function writeQueueEntries(db: Db, rows: RoomTracksTable[]): Promise<void> {
  await db
    .insertInto('room_tracks')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('entry_id').doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })),
    )
    .execute()
}
