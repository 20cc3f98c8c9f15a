import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { Selectable } from 'kysely'
import { type Db, lockRow } from './database.ts'
import { prepareQuery } from './prepared-query.ts'
import { findUsernames } from './profiles.ts'
import type { RoomsTable } from './schema.ts'
import { toTrack } from './tracks.ts'

/** The rooms (7.1), each read in one statement with its current track. */

export type RoomRow = Omit<Selectable<RoomsTable>, 'listeners'>

/** The columns that a change of playback or queue may write. */
export const playbackColumns = [
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
  /** Of the user who added the current track. */
  adderName: string | null
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
  'tracks.regional as track_regional',
  'tracks.gain_db as track_gain_db',
  'tracks.peak as track_peak',
  'tracks.album_gain_db as track_album_gain_db',
  'tracks.album_peak as track_album_peak',
] as const

/** Counts the rooms that a user owns now. */
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

const foreignKeyFailures: readonly unknown[] = ['23503', 787] // of PostgreSQL, of SQLite

/** Waits for a write of what belongs to a room. @throws AppError room_not_found, if the room was deleted meanwhile */
export async function refuseDeletedRoom<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    const { code, errcode } = error as { code?: unknown; errcode?: unknown }
    const isDeleted = foreignKeyFailures.includes(code) || foreignKeyFailures.includes(errcode)
    throw isDeleted ? new AppError('room_not_found', undefined, { cause: error }) : error
  }
}

/**
 * Locks the room's row until the transaction ends and returns it. Without its track: after waiting for the lock,
 * PostgreSQL would join the row's old version. @throws AppError room_not_found
 */
export async function lockRoom(db: Db, roomId: string): Promise<RoomRow> {
  const query = db.selectFrom('rooms').selectAll().where('id', '=', roomId)
  return orRoomNotFound(await lockRow(query, 'rooms').executeTakeFirst())
}

export async function findRoom(db: Db, roomId: string): Promise<RoomWithTrack | null> {
  const { rows } = await selectRoom(db, { roomId })
  return rows[0] ? toRoomWithTrack(rows[0]) : null
}

/** @throws AppError room_not_found */
export async function requireRoom(db: Db, roomId: string): Promise<RoomWithTrack> {
  return orRoomNotFound(await findRoom(db, roomId))
}

/** @throws AppError room_not_found */
export function orRoomNotFound<Room>(room: Room | null | undefined): Room {
  if (!room) throw new AppError('room_not_found')
  return room
}

const selectRoom = prepareQuery((db: Db, { roomId }: { roomId: string }) =>
  selectWithTrack(db).where('rooms.id', '=', roomId).compile(),
)

/** Finds rooms with their current tracks, by id. */
export async function findRooms(db: Db, roomIds: readonly string[]): Promise<Map<string, RoomWithTrack>> {
  const rows = await selectWithTrack(db).where('rooms.id', 'in', roomIds).execute()
  return new Map(rows.map((row) => [row.id, toRoomWithTrack(row)]))
}

/** Finds the rows of rooms, without their tracks, by id. */
export async function findRoomRows(db: Db, roomIds: readonly string[]): Promise<Map<string, RoomRow>> {
  const rows = await db.selectFrom('rooms').selectAll().where('id', 'in', roomIds).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function findOwnerId(db: Db, roomId: string): Promise<string | null> {
  const row = await db.selectFrom('rooms').select('owner_id').where('id', '=', roomId).executeTakeFirst()
  return row?.owner_id ?? null
}

export async function findListedRoom(db: Db, roomId: string): Promise<ListedRoom | null> {
  const row = await selectListed(db).where('rooms.id', '=', roomId).executeTakeFirst()
  const [listed = null] = row ? await toListedRooms(db, [row]) : []
  return listed
}

/** @throws AppError room_not_found */
export async function requireListedRoom(db: Db, roomId: string): Promise<ListedRoom> {
  return orRoomNotFound(await findListedRoom(db, roomId))
}

/** Finds listed rooms by id. */
export async function findListedRooms(db: Db, roomIds: readonly string[]): Promise<ListedRoom[]> {
  const rows = await selectListed(db).where('rooms.id', 'in', roomIds).execute()
  return toListedRooms(db, rows)
}

export async function updateRoomColumns(db: Db, roomId: string, columns: Partial<RoomRow>): Promise<void> {
  await db.updateTable('rooms').set(columns).where('id', '=', roomId).execute()
}

/** Updates a room. With `expected`, changes nothing unless the room is still as in that row. Resolves to whether it did. */
export async function updateRoomPlayback(
  db: Db,
  roomId: string,
  { columns, expected }: { columns: RoomPlaybackColumns; expected: RoomRow | null },
): Promise<boolean> {
  if (!expected) {
    const update = db.updateTable('rooms').set(columns).where('id', '=', roomId)
    return (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n
  }
  const { numAffectedRows = 0n } = await updateUnchanged(db, toGuardedValues(roomId, columns, expected))
  return numAffectedRows > 0n
}

/** The columns in which a room that was changed differs. */
const guardedColumns = [...playbackColumns, 'owner_id', 'settings'] as const

/** By name, not by a loop over `guardedColumns`: it runs with every command, and an object of computed names is slow. */
function toGuardedValues(roomId: string, columns: RoomPlaybackColumns, expected: RoomRow): GuardedValues {
  return {
    roomId,
    is_playing: columns.is_playing,
    current_position: columns.current_position,
    last_updated: columns.last_updated,
    current_track_id: columns.current_track_id,
    sequence_number: columns.sequence_number,
    playback_state: columns.playback_state,
    due_at: columns.due_at,
    controller_id: columns.controller_id,
    known_is_playing: expected.is_playing,
    known_current_position: expected.current_position,
    known_last_updated: expected.last_updated,
    known_current_track_id: expected.current_track_id,
    known_sequence_number: expected.sequence_number,
    known_playback_state: expected.playback_state,
    known_due_at: expected.due_at,
    known_controller_id: expected.controller_id,
    known_owner_id: expected.owner_id,
    known_settings: expected.settings,
  }
}

type GuardedValues = RoomPlaybackColumns & { roomId: string } & {
  [Name in (typeof guardedColumns)[number] as `known_${Name}`]: RoomRow[Name]
}

const updateUnchanged = prepareQuery((db: Db, values: GuardedValues) => {
  const columns = Object.fromEntries(playbackColumns.map((name) => [name, values[name]]))
  let update = db.updateTable('rooms').set(columns).where('id', '=', values.roomId)
  for (const name of guardedColumns) {
    update = update.where(name, 'is not distinct from', values[`known_${name}`])
  }
  return update.compile()
})

function selectWithTrack(db: Db) {
  return db
    .selectFrom('rooms')
    .leftJoin('tracks', 'tracks.id', 'rooms.current_track_id')
    .selectAll('rooms')
    .select(trackColumns)
}

/** Selects rooms with what a list shows of them; `toListedRooms` reads the result. */
export function selectListed(db: Db) {
  return selectWithTrack(db)
    .leftJoin('profiles', 'profiles.id', 'rooms.owner_id')
    .leftJoin('profiles as controllers', 'controllers.id', 'rooms.controller_id')
    .select(['profiles.username as owner_username', 'profiles.avatar_url as owner_avatar_url'])
    .select('controllers.username as controller_name')
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

/**
 * Reads the names of who added the current tracks, too. Their ids are in the rooms' JSON, which PostgreSQL does not parse where
 * a client's text in it is no valid Unicode.
 */
export async function toListedRooms(db: Db, results: readonly ListedResult[]): Promise<ListedRoom[]> {
  const adderIds = results.map(({ playback_state }) => adderIdOf(playback_state))
  const names = await findUsernames(db, [...new Set(adderIds.filter((id) => id !== undefined))])
  return results.map((result, index) => toListedRoom(result, names.get(adderIds[index] ?? '') ?? null))
}

const adderIdOf = (playbackState: string): string | undefined =>
  (JSON.parse(playbackState) as { trackAddedBy?: { id: string } | null }).trackAddedBy?.id

function toListedRoom(result: ListedResult, adderName: string | null): ListedRoom {
  const owner =
    result.owner_username === null
      ? null
      : { username: result.owner_username, avatarUrl: result.owner_avatar_url }
  const { controller_name: controllerName, listeners } = result
  return { ...toRoomWithTrack(result), owner, controllerName, adderName, listeners }
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
    regional: result.track_regional,
    gain_db: result.track_gain_db,
    peak: result.track_peak,
    album_gain_db: result.track_album_gain_db,
    album_peak: result.track_album_peak,
  })
}
