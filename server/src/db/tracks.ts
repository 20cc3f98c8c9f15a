import type { Source, Track } from '@earshot/core/protocol/entities'
import { knownDurationMs, toDurationFields } from '@earshot/core/sync/duration'
import type { Selectable } from 'kysely'
import type { Db } from './database.ts'
import type { TracksTable } from './schema.ts'

/** All known tracks, of every source (7.4), and which users may access them. */

/** Converts a row to a track. Both fields of the cover have the same value. */
export function toTrack(row: Omit<Selectable<TracksTable>, 'fetched_at'>): Track {
  return {
    id: row.id,
    title: row.title,
    artist: row.artist,
    album: row.album,
    ...toDurationFields(row.duration),
    source: row.source as Source,
    albumArt: row.album_art,
    album_art: row.album_art,
    url: row.url,
    uri: row.uri,
    ...(row.isrc === null ? {} : { isrc: row.isrc }),
    ...(row.restriction === null ? {} : { restriction: row.restriction as Track['restriction'] }),
    ...(row.regional === 1 ? { regional: true } : {}),
    ...(row.gain_db === null ? {} : { gain_db: row.gain_db }),
    ...(row.peak === null ? {} : { peak: row.peak }),
    ...(row.album_gain_db === null ? {} : { album_gain_db: row.album_gain_db }),
    ...(row.album_peak === null ? {} : { album_peak: row.album_peak }),
  }
}

export async function findTrack(db: Db, trackId: string): Promise<Track | null> {
  const row = await db.selectFrom('tracks').selectAll().where('id', '=', trackId).executeTakeFirst()
  return row ? toTrack(row) : null
}

/** Finds the known tracks among `trackIds`, by id. */
export async function findTracks(db: Db, trackIds: string[]): Promise<Map<string, Track>> {
  if (trackIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('tracks')
    .selectAll()
    .where('id', 'in', [...new Set(trackIds)])
    .execute()
  return new Map(rows.map((row) => [row.id, toTrack(row)]))
}

/**
 * Inserts tracks found at `nowMs` or updates known ones. A known duration is never replaced by an unknown one.
 */
export async function upsertTracks(db: Db, tracks: Track[], nowMs: number): Promise<void> {
  if (tracks.length === 0) return
  const rows = tracks.map((track) => toTrackRow(track, nowMs))
  await db
    .insertInto('tracks')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        title: eb.ref('excluded.title'),
        artist: eb.ref('excluded.artist'),
        album: eb.ref('excluded.album'),
        duration: eb.fn.coalesce('excluded.duration', 'tracks.duration'),
        source: eb.ref('excluded.source'),
        album_art: eb.ref('excluded.album_art'),
        url: eb.ref('excluded.url'),
        uri: eb.ref('excluded.uri'),
        isrc: eb.fn.coalesce('excluded.isrc', 'tracks.isrc'),
        restriction: eb.ref('excluded.restriction'),
        regional: eb.ref('excluded.regional'),
        gain_db: eb.ref('excluded.gain_db'),
        peak: eb.ref('excluded.peak'),
        album_gain_db: eb.ref('excluded.album_gain_db'),
        album_peak: eb.ref('excluded.album_peak'),
        fetched_at: eb.ref('excluded.fetched_at'),
      })),
    )
    .execute()
}

/** Stores the duration of a track of which none is known. */
export async function storeMissingDuration(db: Db, trackId: string, durationMs: number): Promise<void> {
  await db
    .updateTable('tracks')
    .set({ duration: Math.round(durationMs) })
    .where('id', '=', trackId)
    .where('duration', 'is', null)
    .execute()
}

function toTrackRow(track: Track, nowMs: number): TracksTable {
  const durationMs = knownDurationMs(track)
  return {
    id: track.id,
    title: track.title,
    artist: track.artist,
    album: track.album,
    duration: durationMs === null ? null : Math.round(durationMs),
    source: track.source,
    album_art: track.albumArt ?? track.album_art,
    url: track.url ?? null,
    uri: track.uri ?? null,
    isrc: track.isrc ?? null,
    restriction: track.restriction ?? null,
    regional: track.regional ? 1 : null,
    gain_db: track.gain_db ?? null,
    peak: track.peak ?? null,
    album_gain_db: track.album_gain_db ?? null,
    album_peak: track.album_peak ?? null,
    fetched_at: Math.round(nowMs),
  }
}

/** Finds a room of which the user is a member and in which the track is current or queued. */
export async function findRoomWithTrack(db: Db, userId: string, trackId: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_rooms')
    .innerJoin('rooms', 'rooms.id', 'user_rooms.room_id')
    .select('rooms.id')
    .where('user_rooms.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('rooms.current_track_id', '=', trackId),
        eb.exists(
          eb
            .selectFrom('room_tracks')
            .select('room_tracks.entry_id')
            .whereRef('room_tracks.room_id', '=', 'rooms.id')
            .where('room_tracks.track_id', '=', trackId),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Finds a room of which the user is a member and in which the track is current or next. */
export async function findRoomWithTrackAhead(
  db: Db,
  userId: string,
  trackId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('user_rooms')
    .innerJoin('rooms', 'rooms.id', 'user_rooms.room_id')
    .leftJoin('room_tracks', (join) =>
      join.onRef('room_tracks.room_id', '=', 'rooms.id').on('room_tracks.position', '=', 0),
    )
    .select('rooms.id')
    .where('user_rooms.user_id', '=', userId)
    .where((eb) =>
      eb.or([eb('rooms.current_track_id', '=', trackId), eb('room_tracks.track_id', '=', trackId)]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Whether the track is current in a public room. */
export async function isTrackPublic(db: Db, trackId: string): Promise<boolean> {
  const row = await db
    .selectFrom('rooms')
    .select('id')
    .where('current_track_id', '=', trackId)
    .where('is_public', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds tracks of some sources with this recording code. */
export async function findTracksByIsrc(db: Db, isrc: string, sources: readonly Source[]): Promise<Track[]> {
  const rows = await db
    .selectFrom('tracks')
    .selectAll()
    .where('isrc', '=', isrc)
    .where('source', 'in', sources)
    .limit(20)
    .execute()
  return rows.map(toTrack)
}

/** Finds tracks of a source with a duration in a range (ms) and one of these words (lower case) in the title. */
export async function findTracksByTitle(
  db: Db,
  { source, words, fromMs, toMs }: { source: Source; words: string[]; fromMs: number; toMs: number },
): Promise<Track[]> {
  const rows = await db
    .selectFrom('tracks')
    .selectAll()
    .where('source', '=', source)
    .where('duration', '>=', Math.round(fromMs))
    .where('duration', '<=', Math.round(toMs))
    .where((eb) => eb.or(words.map((word) => eb(eb.fn<string>('lower', ['title']), 'like', `%${word}%`))))
    .orderBy('fetched_at', 'desc')
    .limit(50)
    .execute()
  return rows.map(toTrack)
}
