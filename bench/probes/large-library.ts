import { makeTrack } from '@earshot/core/testing/tracks'
import { type Db, openDatabase } from '../../server/src/db/database.ts'
import { upsertLibraryFiles } from '../../server/src/db/catalogue/library-files.ts'
import { upsertAlbumsAndArtists } from '../../server/src/db/catalogue/library-albums-artists.ts'
import { upsertTracks } from '../../server/src/db/tracks.ts'
import { albumAndArtistOf } from '../../server/src/library/scan/album-and-artist.ts'
import { foldLines } from '../../server/src/library/search-text.ts'

const tracksPerTransaction = 500
const words =
  'amber blue cinder delta ember fading golden harbour iron jade kindling lantern meadow north'.split(' ')

/** Words to search for. */
export const searchWords: readonly string[] = words

/** Adds tracks to a server's catalogue as a scan would, without files. */
export async function storeLargeLibrary(dataDir: string, count: number): Promise<void> {
  const db = await openDatabase({ databaseUrl: null, dataDir })
  for (let from = 0; from < count; from += tracksPerTransaction) {
    await storeTracks(db, from, Math.min(count, from + tracksPerTransaction))
  }
  await db.destroy()
}

async function storeTracks(db: Db, from: number, to: number): Promise<void> {
  const tracks = Array.from({ length: to - from }, (_, index) => makeNamedTrack(from + index))
  const places = tracks.map(({ id, artist, album }, index) => ({
    ...albumAndArtistOf({ artist, album, albumArtist: artist, year: 1960 + ((from + index) % 60) }),
    trackId: id,
  }))
  const files = tracks.map(({ id, title, artist, album }, index) => ({
    track_id: id,
    path: `${artist}/${album}/${id}.flac`,
    size: 30_000_000,
    modified_at: 1,
    changed_at: 1,
    tags_version: 1,
    mime_type: 'audio/flac',
    has_art: 0,
    cover_path: null,
    search_text: foldLines([title, artist, album]),
    sort_text: foldLines([artist, album, title]),
    folder: `${artist}/${album}`,
    fingerprint: id,
    cover_version: null,
    missing_since: null,
    album_id: places[index]?.album?.id ?? null,
    artist_id: places[index]?.artist?.id ?? null,
    disc_number: 1,
    track_number: ((from + index) % 10) + 1,
  }))
  await db.transaction().execute(async (transaction) => {
    await upsertTracks(transaction, tracks, 1)
    await upsertAlbumsAndArtists(transaction, places, from)
    await upsertLibraryFiles(transaction, files)
  })
}

function makeNamedTrack(number: number) {
  const word = (step: number): string => words[Math.floor(number / step) % words.length] ?? ''
  const named = {
    title: `${word(1)} ${word(14)} ${number}`,
    artist: `${word(196)} artist ${Math.floor(number / 100)}`,
    album: `${word(7)} album ${Math.floor(number / 10)}`,
  }
  return { ...makeTrack(`bench-${number}`), ...named }
}
