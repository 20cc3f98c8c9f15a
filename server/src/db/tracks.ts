import type { Source, Track } from '@earshot/core/protocol/entities'
import { limits } from '@earshot/core/limits'
import type { Selectable } from 'kysely'
import type { Db } from './database.ts'
import type { TracksTable } from './schema.ts'

/** The tracks that this server has met, of every source (7.4). */

/** The track of a row. Both names of the cover carry the same value. */
export function toTrack(row: Omit<Selectable<TracksTable>, 'fetched_at'>): Track {
  return {
    id: row.id,
    title: row.title,
    artist: row.artist,
    album: row.album,
    duration: row.duration,
    source: row.source as Source,
    albumArt: row.album_art,
    album_art: row.album_art,
    url: row.url,
    uri: row.uri,
  }
}

export async function findTrack(db: Db, trackId: string): Promise<Track | null> {
  const row = await db.selectFrom('tracks').selectAll().where('id', '=', trackId).executeTakeFirst()
  return row ? toTrack(row) : null
}

/** The known ones among `trackIds`, by id. */
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
 * Stores tracks as they were found at `nowMs`; one that is known is brought up to date, but a known duration never
 * gives way to the sentinel of an unknown one.
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
        duration: eb
          .case()
          .when('excluded.duration', '=', limits.unknownDurationMs)
          .then(eb.ref('tracks.duration'))
          .else(eb.ref('excluded.duration'))
          .end(),
        source: eb.ref('excluded.source'),
        album_art: eb.ref('excluded.album_art'),
        url: eb.ref('excluded.url'),
        uri: eb.ref('excluded.uri'),
        fetched_at: eb.ref('excluded.fetched_at'),
      })),
    )
    .execute()
}

export async function updateTrackDuration(db: Db, trackId: string, durationMs: number): Promise<void> {
  await db
    .updateTable('tracks')
    .set({ duration: Math.round(durationMs) })
    .where('id', '=', trackId)
    .execute()
}

function toTrackRow(track: Track, nowMs: number): TracksTable {
  return {
    id: track.id,
    title: track.title,
    artist: track.artist,
    album: track.album,
    duration: Math.round(track.duration),
    source: track.source,
    album_art: track.albumArt ?? track.album_art,
    url: track.url ?? null,
    uri: track.uri ?? null,
    fetched_at: Math.round(nowMs),
  }
}
