import type { Db } from './database.ts'
import type { LibraryAlbumsTable, LibraryArtistsTable } from './library-schema.ts'

/** Where a file is found in the library: its album, if it has one, and its artist. */
export interface LibraryPlace {
  album: Omit<LibraryAlbumsTable, 'added_at'> | null
  artist: LibraryArtistsTable | null
}

/**
 * Stores albums and artists that files name, in order of their ids, so that processes that scan one folder at the same
 * time cannot deadlock. Known ones keep their names and the time at which they came, and get a year that was unknown.
 */
export async function upsertLibraryPlaces(db: Db, places: LibraryPlace[], nowMs: number): Promise<void> {
  const artists = inOrder(places.flatMap(({ artist }) => artist ?? []))
  if (artists.length > 0) {
    await db
      .insertInto('library_artists')
      .values(artists)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
  const albums = inOrder(places.flatMap(({ album }) => album ?? []))
  if (albums.length === 0) return
  await db
    .insertInto('library_albums')
    .values(albums.map((album) => ({ ...album, added_at: Math.floor(nowMs) })))
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

/** Returns each row once, by id; of an album one with a year, if any has. */
function inOrder<Row extends { id: string; year?: number | null }>(rows: Row[]): Row[] {
  const byId = new Map<string, Row>()
  for (const row of rows) {
    const known = byId.get(row.id)
    if (known === undefined || (known.year === null && row.year !== null)) byId.set(row.id, row)
  }
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
