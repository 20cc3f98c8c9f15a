import type { Track } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { readLetters } from './library-browser.ts'
import { albumAndArtistOf } from './scan/album-and-artist.ts'
import type { Db } from '../db/database.ts'
import {
  findAlbum,
  findArtist,
  listAlbumsByTitle,
  listAlbumsOfArtist,
  listAlbumTracks,
  listArtistsByName,
  listRecentAlbums,
  listSingleTracks,
  type SortKey,
  searchAlbums,
  searchArtists,
} from '../db/catalogue/library-browse.ts'
import { markLibraryFilesMissing, upsertLibraryFiles } from '../db/catalogue/library-files.ts'
import { updateSpellings, upsertAlbumsAndArtists } from '../db/catalogue/library-albums-artists.ts'
import { makeFile, makeTrack } from '../db/testing/library-rows.ts'
import { upsertTracks } from '../db/tracks.ts'

interface Tags {
  albumArtist?: string
  year?: number | null
  disc?: number
  number?: number
}

/** Stores a track as a scan at `nowMs` would. */
async function add(
  db: Db,
  [title, artist, album]: [string, string, string],
  tags: Tags = {},
  nowMs = 1,
): Promise<Track> {
  const track = { ...makeTrack(title, artist, album), id: `lib_${title}-${artist}-${album}` }
  const { albumArtist = artist, year = null, disc = 1, number = 0 } = tags
  const place = albumAndArtistOf({ artist, album, albumArtist, year })
  const ids = { album_id: place.album?.id ?? null, artist_id: place.artist?.id ?? null }
  await upsertTracks(db, [track], nowMs)
  const placed = { ...place, trackId: track.id }
  await upsertAlbumsAndArtists(db, [placed], nowMs)
  await upsertLibraryFiles(db, [{ ...makeFile(track), ...ids, disc_number: disc, track_number: number }])
  await updateSpellings(db, [placed])
  return track
}

const all = { after: null, limit: 100 }
const titles = (rows: { title: string }[]): string[] => rows.map((row) => row.title)
const names = (rows: { name: string }[]): string[] => rows.map((row) => row.name)

describeDatabases('albums and artists of the library', (open) => {
  it('17.70 albums are listed by title without article, case and accents, page by page', async () => {
    const db = await open()
    for (const album of ['The Ark', 'Élan', 'beta', 'Delta', 'Alpha']) await add(db, ['One', 'Ann', album])
    const listed: string[] = []
    for (let after: SortKey | null = null; ;) {
      const page = await listAlbumsByTitle(db, { after, limit: 2 })
      listed.push(...titles(page))
      const last = page.at(-1)
      if (!last) break
      after = [last.sort_text, last.id]
    }
    expect(listed).toEqual(['Alpha', 'The Ark', 'beta', 'Delta', 'Élan'])
    expect(titles(await listAlbumsByTitle(db, { after: ['d', ''], limit: 9 }))).toEqual(['Delta', 'Élan'])
  })

  it('17.359 the letters at which a list starts are those of its scripts, in its order, once each', async () => {
    const db = await open()
    const albums = ['The Ark', 'alpha', 'Élan', 'Echo', '99', '(Untitled)', 'Ночь', 'ليل', '夜']
    for (const album of albums) await add(db, ['One', 'Ann', album])
    const gone = await add(db, ['One', 'Zoe', 'Zebra'])
    await markLibraryFilesMissing(db, [makeFile(gone)], 2)
    expect(await readLetters(db, 'albums')).toEqual(['9', 'a', 'e', 'н', 'ل', '夜'])
    expect(await readLetters(db, 'artists')).toEqual(['a'])
  })

  it('17.359 of very many letters 100 are listed, evenly', async () => {
    const db = await open()
    const characters = Array.from({ length: 150 }, (_none, index) => String.fromCodePoint(0x4e00 + index))
    for (const character of characters) await add(db, ['One', 'Ann', character])
    expect(await readLetters(db, 'albums')).toEqual(characters.filter((_each, index) => index % 2 === 0))
  })

  it('17.70 the albums that came last are listed first, and stay there when they get further tracks', async () => {
    const db = await open()
    for (const [at, album] of ['Old', 'Newer', 'Newest'].entries())
      await add(db, ['One', 'Ann', album], {}, at)
    await add(db, ['Two', 'Ann', 'Old'], {}, 50)
    expect(titles(await listRecentAlbums(db, 2))).toEqual(['Newest', 'Newer'])
  })

  it('17.71 the tracks of an album are in the order of disc and number, page by page', async () => {
    const db = await open()
    await add(db, ['Aria', 'Ann', 'Sea'], { disc: 2, number: 1 })
    await add(db, ['Zest', 'Ann', 'Sea'], { disc: 1, number: 1 })
    await add(db, ['Moon', 'Ann', 'Sea'], { disc: 1, number: 2 })
    const [album] = await listAlbumsByTitle(db, all)
    const first = await listAlbumTracks(db, album!.id, { after: null, limit: 2 })
    const rest = await listAlbumTracks(db, album!.id, { after: first.at(-1)!.key, limit: 2 })
    expect([...first, ...rest].map(({ track }) => track.title)).toEqual(['Zest', 'Moon', 'Aria'])
    expect(first[1]?.key.slice(0, 2)).toEqual([1, 2])
    expect(album?.first_track_id).toBe(first[0]?.track.id)
  })

  it('17.71 a compilation is one album of its own artist', async () => {
    const db = await open()
    await add(db, ['One', 'Ann', 'Hits'], { albumArtist: 'Various Artists' })
    await add(db, ['Two', 'Bob', 'Hits'], { albumArtist: 'various artists' })
    expect(await listAlbumsByTitle(db, all)).toMatchObject([{ title: 'Hits', artist: 'Various Artists' }])
    expect(names(await listArtistsByName(db, all))).toEqual(['Various Artists'])
  })

  it('17.71 albums of one title and different artists are different albums', async () => {
    const db = await open()
    await add(db, ['One', 'Bob', 'Greatest Hits'])
    await add(db, ['One', 'Ann', 'Greatest Hits'])
    expect((await listAlbumsByTitle(db, all)).map((album) => album.artist)).toEqual(['Ann', 'Bob'])
  })

  it('17.71 an artist has albums by year, and the tracks that are on none', async () => {
    const db = await open()
    await add(db, ['One', 'Ann', 'Undated'])
    await add(db, ['One', 'Ann', 'Late'], { year: 2001 })
    await add(db, ['One', 'Ann', 'Early'], { year: 1999 })
    const single = await add(db, ['Single', 'Ann', ''])
    await add(db, ['Other', 'Bob', ''])
    const [artist] = await listArtistsByName(db, all)
    expect(artist?.name).toBe('Ann')
    expect(titles(await listAlbumsOfArtist(db, artist!.id, all))).toEqual(['Early', 'Late', 'Undated'])
    const singles = await listSingleTracks(db, artist!.id, all)
    expect(singles.map(({ track }) => track)).toEqual([single])
    expect(await listSingleTracks(db, artist!.id, { after: singles[0]!.key, limit: 5 })).toEqual([])
  })

  it('17.71 an album gets the year that a later file states, and keeps the one it has', async () => {
    const db = await open()
    await add(db, ['One', 'Ann', 'Sea'])
    await add(db, ['Two', 'Ann', 'Sea'], { year: 1988 })
    await add(db, ['Three', 'Ann', 'Sea'], { year: 2024 })
    expect(await listAlbumsByTitle(db, all)).toMatchObject([{ year: 1988 }])
  })

  it('15.118 an album and its artist get a corrected spelling and year from the first file, read again', async () => {
    const db = await open()
    await add(db, ['One', 'motorhead', 'bomber'], { year: 1899, number: 1 })
    await add(db, ['Two', 'MOTORHEAD', 'BOMBER'], { year: 1900, number: 2 })
    const [{ id, first_track_id: firstId } = { id: '', first_track_id: '' }] = await listAlbumsByTitle(
      db,
      all,
    )
    expect(await findAlbum(db, id)).toMatchObject({ title: 'bomber', artist: 'motorhead', year: 1899 })
    expect(names(await listArtistsByName(db, all))).toEqual(['motorhead'])
    const file = { ...makeFile(makeTrack('One', 'Motörhead', 'Bomber')), track_id: firstId, album_id: id }
    const place = albumAndArtistOf({
      artist: 'Motörhead',
      albumArtist: 'Motörhead',
      album: 'Bomber',
      year: 1979,
    })
    await upsertLibraryFiles(db, [{ ...file, artist_id: place.artist!.id, track_number: 1 }])
    await upsertAlbumsAndArtists(db, [{ ...place, trackId: firstId }], 9)
    await updateSpellings(db, [{ ...place, trackId: firstId }])
    expect(await findAlbum(db, id)).toMatchObject({
      title: 'Bomber',
      artist: 'Motörhead',
      year: 1979,
      added_at: 1,
    })
    expect(names(await listArtistsByName(db, all))).toEqual(['Motörhead'])
    await add(db, ['One', 'Motörhead', 'Overkill'], { year: 1978 })
    expect(titles(await listAlbumsOfArtist(db, place.artist!.id, all))).toEqual(['Overkill', 'Bomber'])
  })

  it('17.70 what has no file any more is not listed and not found, and returns with one', async () => {
    const db = await open()
    const track = await add(db, ['One', 'Ann', 'Sea'])
    const [album] = await listAlbumsByTitle(db, all)
    const [artist] = await listArtistsByName(db, all)
    await markLibraryFilesMissing(db, [makeFile(track)], 5)
    expect(await listAlbumsByTitle(db, all)).toEqual([])
    expect(await listRecentAlbums(db, 9)).toEqual([])
    expect(await listArtistsByName(db, all)).toEqual([])
    expect(await findAlbum(db, album!.id)).toBeNull()
    expect(await findArtist(db, artist!.id)).toBeNull()
    expect(await searchAlbums(db, { phrase: 'sea', words: ['sea'] }, 5)).toEqual([])
    await add(db, ['One', 'Ann', 'Sea'])
    expect(titles(await listAlbumsByTitle(db, all))).toEqual(['Sea'])
  })

  it('17.72 albums and artists are found by words, those that begin with them first', async () => {
    const db = await open()
    for (const album of ['Under the Sea', 'Sea', 'Seaside', '100%_Sky'])
      await add(db, ['One', 'Björk Sea', album])
    await add(db, ['One', 'Ann', 'Sky'])
    const search = (words: string) => ({ phrase: words, words: words.split(' ') })
    expect(titles(await searchAlbums(db, search('sea'), 2))).toEqual(['Sea', 'Seaside'])
    expect(titles(await searchAlbums(db, search('bjork under'), 9))).toEqual(['Under the Sea'])
    expect(titles(await searchAlbums(db, search('%_'), 9))).toEqual(['100%_Sky'])
    expect(names(await searchArtists(db, search('bjork'), 9))).toEqual(['Björk Sea'])
    expect(await searchArtists(db, search('nobody'), 9)).toEqual([])
  })
})
