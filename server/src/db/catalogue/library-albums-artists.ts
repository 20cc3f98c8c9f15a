import type { Db } from '../database.ts'
import { firstOfAlbum, firstOfArtist } from './library-browse.ts'
import type { LibraryAlbumsTable, LibraryArtistsTable } from './library-schema.ts'

/** The album that the tags of a file name, if they name one, and its artist. */
export interface AlbumAndArtist {
  album: Omit<LibraryAlbumsTable, 'added_at'> | null
  artist: LibraryArtistsTable | null
}

/** Of a track. */
interface TrackAlbumAndArtist extends AlbumAndArtist {
  trackId: string
}

/**
 * Stores albums and artists that files name, in order of their ids, so that processes that scan one folder at the same
 * time cannot deadlock. Known ones get a year that was unknown. An album that its tracks come to from another, by new
 * tags, is as old as that: therefore before their files.
 */
export async function upsertAlbumsAndArtists(
  db: Db,
  tracks: TrackAlbumAndArtist[],
  nowMs: number,
): Promise<void> {
  const artists = inOrder(tracks.flatMap(({ artist }) => artist ?? []))
  if (artists.length > 0) {
    await db
      .insertInto('library_artists')
      .values(artists)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
  const albums = inOrder(tracks.flatMap(({ album }) => album ?? []))
  if (albums.length === 0) return
  const addedAt = await readAddedTimes(db, tracks)
  await db
    .insertInto('library_albums')
    .values(albums.map((album) => ({ ...album, added_at: addedAt.get(album.id) ?? Math.floor(nowMs) })))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          year: eb.ref('excluded.year'),
          release_text: eb.ref('excluded.release_text'),
        }))
        .where('library_albums.year', 'is', null)
        .where('excluded.year', 'is not', null),
    )
    .execute()
}

/** Returns when the albums came in which the tracks of each album have been so far. */
async function readAddedTimes(db: Db, tracks: TrackAlbumAndArtist[]): Promise<Map<string, number>> {
  const albumIds = new Map(tracks.map(({ trackId, album }) => [trackId, album?.id]))
  const rows = await db
    .selectFrom('library_files')
    .innerJoin('library_albums', 'library_albums.id', 'library_files.album_id')
    .select(['track_id', 'added_at'])
    .where('track_id', 'in', [...albumIds.keys()])
    .orderBy('added_at', 'desc')
    .execute()
  // The earliest comes last.
  return new Map(rows.map(({ track_id: trackId, added_at }) => [albumIds.get(trackId) ?? '', added_at]))
}

/** Gives albums and artists the spelling and the year of their first file: after the files are stored. */
export async function updateSpellings(db: Db, tracks: TrackAlbumAndArtist[]): Promise<void> {
  const ofTrack = new Map(tracks.map((track) => [track.trackId, track]))
  const idsOf = (rows: ({ id: string } | null)[]): string[] => [
    ...new Set(rows.flatMap((row) => row?.id ?? [])),
  ]
  await updateArtistNames(db, idsOf(tracks.map(({ artist }) => artist)), ofTrack)
  await updateAlbumTexts(db, idsOf(tracks.map(({ album }) => album)), ofTrack)
}

async function updateArtistNames(
  db: Db,
  ids: string[],
  ofTrack: Map<string, TrackAlbumAndArtist>,
): Promise<void> {
  if (ids.length === 0) return
  const rows = await db
    .selectFrom('library_artists')
    .select(['id', 'name', firstOfArtist.as('first_track_id')])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  for (const { id, name: before, first_track_id: first } of rows) {
    const { name } = ofTrack.get(first ?? '')?.artist ?? { name: before }
    if (name !== before) await db.updateTable('library_artists').set({ name }).where('id', '=', id).execute()
  }
}

async function updateAlbumTexts(
  db: Db,
  ids: string[],
  ofTrack: Map<string, TrackAlbumAndArtist>,
): Promise<void> {
  if (ids.length === 0) return
  const rows = await db
    .selectFrom('library_albums')
    .select(['id', 'title', 'artist', 'year', firstOfAlbum.as('first_track_id')])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  for (const { first_track_id: first, id, ...before } of rows) {
    const album = ofTrack.get(first ?? '')?.album
    if (!album) continue
    const { title, artist, release_text } = album
    const dated = album.year === null ? {} : { year: album.year, release_text }
    const isSame =
      title === before.title && artist === before.artist && (album.year ?? before.year) === before.year
    if (isSame) continue
    await db
      .updateTable('library_albums')
      .set({ title, artist, ...dated })
      .where('id', '=', id)
      .execute()
  }
}

/** Returns each row once, by id; of an album one with a year, if any has. */
function inOrder<Row extends { id: string; year?: number | null }>(rows: Row[]): Row[] {
  const byId = new Map<string, Row>()
  for (const row of rows) {
    const known = byId.get(row.id)
    if (known === undefined || (known.year === null && row.year !== null)) byId.set(row.id, row)
  }
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
