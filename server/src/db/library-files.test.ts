import type { Track } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from './database.ts'
import {
  browseLibraryFiles,
  findLibraryFile,
  listLibraryFiles,
  removeLibraryFiles,
  searchLibraryFiles,
  upsertLibraryFiles,
  type LibraryFile,
} from './library-files.ts'
import { findTrack, upsertTracks } from './tracks.ts'

const firstPage = { offset: 0, limit: 20 }

function makeTrack(title: string, artist: string, album: string): Track {
  const id = `lib_${title}-${artist}`
  const track = { id, title, artist, album, duration: 1_000, source: 'library' as const }
  return { ...track, albumArt: null, album_art: null, url: null, uri: null }
}

function makeFile(track: Track, path = `${track.title}.mp3`): LibraryFile {
  const lines = (...parts: string[]): string => parts.map((part) => part.toLowerCase()).join('\n')
  return {
    track_id: track.id,
    path,
    size: 3_000_000_000,
    modified_at: 1_700_000_000_000,
    mime_type: 'audio/mpeg',
    has_art: 0,
    cover_path: null,
    search_text: lines(track.title, track.artist, track.album),
    sort_text: lines(track.artist, track.album, track.title),
  }
}

async function store(db: Db, tracks: Track[]): Promise<void> {
  await upsertTracks(db, tracks, 1)
  await upsertLibraryFiles(
    db,
    tracks.map((track) => makeFile(track)),
  )
}

async function search(db: Db, phrase: string): Promise<string[]> {
  const { tracks } = await searchLibraryFiles(db, { phrase, words: phrase.split(' ') }, firstPage)
  return tracks.map((track) => track.title)
}

describeDatabases('library files', (open) => {
  it('are read as stored, including sizes over 2 GB', async () => {
    const db = await open()
    const track = makeTrack('Blue', 'Ann', 'Sea')
    await store(db, [track])
    expect(await findLibraryFile(db, track.id)).toEqual(makeFile(track))
    expect(await listLibraryFiles(db)).toEqual([makeFile(track)])
    expect(await findLibraryFile(db, 'lib_unknown')).toBeNull()
  })

  it('are one per track: a moved file is updated', async () => {
    const db = await open()
    const track = makeTrack('Blue', 'Ann', 'Sea')
    await store(db, [track])
    const moved = { ...makeFile(track, 'moved.mp3'), has_art: 1, cover_path: 'cover.jpg' }
    await upsertLibraryFiles(db, [moved])
    expect(await listLibraryFiles(db)).toEqual([moved])
  })

  it('are removed without their tracks, which queues may still contain', async () => {
    const db = await open()
    const tracks = [makeTrack('Blue', 'Ann', 'Sea'), makeTrack('Red', 'Ann', 'Sea')]
    await store(db, tracks)
    await removeLibraryFiles(db, [tracks[0]!.id, 'lib_unknown'])
    expect((await listLibraryFiles(db)).map((file) => file.track_id)).toEqual([tracks[1]!.id])
    expect(await findTrack(db, tracks[0]!.id)).toEqual(tracks[0])
    expect(await search(db, 'blue')).toEqual([])
  })

  it('are found when every word is in title, artist or album', async () => {
    const db = await open()
    await store(db, [
      makeTrack('Blue Monday', 'Order', 'Power'),
      makeTrack('Monday', 'Blue Order', 'Sky'),
      makeTrack('Tuesday', 'Order', 'Blue Album'),
    ])
    expect((await search(db, 'blue order')).toSorted()).toEqual(['Blue Monday', 'Monday', 'Tuesday'])
    expect((await search(db, 'monday blue')).toSorted()).toEqual(['Blue Monday', 'Monday'])
    expect(await search(db, 'tues album')).toEqual(['Tuesday'])
    expect(await search(db, 'blue wednesday')).toEqual([])
  })

  it('are ranked by a match at the start of the title, then in the title, then elsewhere', async () => {
    const db = await open()
    await store(db, [
      makeTrack('Amber', 'Sun', 'Z'),
      makeTrack('Big Sun', 'Y', 'Y'),
      makeTrack('Sunrise', 'X', 'X'),
      makeTrack('Sun', 'Z', 'Z'),
      makeTrack('Cello', 'W', 'Under the Sun'),
    ])
    expect(await search(db, 'sun')).toEqual(['Sun', 'Sunrise', 'Big Sun', 'Amber', 'Cello'])
  })

  it.each(['100%', '50_50', 'back\\slash', "o'clock"])(
    'search for %s literally, not as a pattern',
    async (title) => {
      const db = await open()
      await store(db, [makeTrack(title, 'A', 'A'), makeTrack('100 x 50 50 backslash oclock', 'B', 'B')])
      expect(await search(db, title)).toEqual([title])
    },
  )

  it('are paged, with the total count', async () => {
    const db = await open()
    const tracks = ['a', 'b', 'c', 'd', 'e'].map((letter) => makeTrack(`Song ${letter}`, 'A', 'A'))
    await store(db, tracks)
    const page = await searchLibraryFiles(db, { phrase: 'song', words: ['song'] }, { offset: 2, limit: 2 })
    expect(page).toEqual({ tracks: tracks.slice(2, 4), total: 5 })
    expect(await browseLibraryFiles(db, { offset: 9, limit: 2 })).toEqual({ tracks: [], total: 5 })
  })

  it('are browsed by artist, album and title', async () => {
    const db = await open()
    const ordered = [
      makeTrack('Zebra', 'Ann', 'First'),
      makeTrack('Apple', 'Ann', 'Second'),
      makeTrack('Banana', 'Ann', 'Second'),
      makeTrack('Aardvark', 'Bob', 'First'),
    ]
    await store(db, ordered.toReversed())
    expect(await browseLibraryFiles(db, firstPage)).toEqual({ tracks: ordered, total: 4 })
  })
})
