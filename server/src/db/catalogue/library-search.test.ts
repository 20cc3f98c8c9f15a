import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { type Db, engineOf } from '../database.ts'
import { markLibraryFilesMissing, upsertLibraryFiles } from './library-files.ts'
import {
  browseLibraryFiles,
  createSearchIndex,
  searchLibraryFiles,
  type TrackPage,
} from './library-search.ts'
import { makeFile, makeTrack, store } from '../testing/library-rows.ts'
import { serverLimits } from '../../server-limits.ts'

const firstPage = { offset: 0, limit: 20 }

function searchPage(db: Db, phrase: string, page = firstPage): Promise<TrackPage> {
  return searchLibraryFiles(db, { phrase, words: phrase.split(' ') }, page)
}

async function search(db: Db, phrase: string): Promise<string[]> {
  return (await searchPage(db, phrase)).tracks.map((track) => track.title)
}

const shortSearches: [phrase: string, titles: string[]][] = [
  ['u2', ['U2 Live', 'One']],
  ['u', ['U2 Live', 'One']],
  ['one u2', ['One']],
  ['東京', ['東京']],
  ['京', ['東京']],
  ['\u{1F3B5}', ['\u{1F3B5} Note']],
  ['q', []],
]

describeDatabases('library files', (open) => {
  it('13.10 are found when every word is in title, artist or album', async () => {
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

  it('13.10 are ranked by a match at the start of the title, then in the title, then elsewhere', async () => {
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

  it('are searched for literally, not by a pattern', async () => {
    const db = await open()
    const titles = ['100%', '50_50', 'back\\slash', "o'clock", 'a"b', 'mon*', 'title:x', 'near(a', '-or not']
    const others = [
      makeTrack('100 x 50 50 backslash oclock', 'B', 'B'),
      makeTrack('Monday or not near', 'A', 'A'),
    ]
    await store(db, [...titles.map((title) => makeTrack(title, 'A', 'A')), ...others])
    for (const title of titles) expect(await search(db, title)).toEqual([title])
    expect(await search(db, '"')).toEqual(['a"b'])
  })

  it('are paged, with the total count', async () => {
    const db = await open()
    const tracks = ['a', 'b', 'c', 'd', 'e'].map((letter) => makeTrack(`Song ${letter}`, 'A', 'A'))
    await store(db, tracks)
    const page = await searchPage(db, 'song', { offset: 2, limit: 2 })
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

  it('13.11 are found by words that are shorter than a trigram', async () => {
    const db = await open()
    const notes = makeTrack('\u{1F3B5} Note', 'Bob', 'B')
    await store(db, [
      makeTrack('One', 'U2', 'A'),
      makeTrack('U2 Live', 'Bo', 'B'),
      makeTrack('東京', 'A', 'A'),
      notes,
    ])
    for (const [phrase, titles] of shortSearches) {
      expect([phrase, await search(db, phrase)]).toEqual([phrase, titles])
    }
  })

  it('13.12 are at most 200 in a search, those whose title starts with it first', async () => {
    const db = await open()
    const common = Array.from({ length: 600 }, (_, index) =>
      makeTrack(`A ${String(index).padStart(3, '0')}`, 'Sunny', 'B'),
    )
    await store(db, common)
    await store(db, [makeTrack('Zest of Sun', 'Late', 'B'), makeTrack('Sunlight', 'Late', 'B')])
    const first = await searchPage(db, 'sun')
    expect(first.total).toBe(serverLimits.searchMatchesMax)
    expect(first.tracks.map((track) => track.title).slice(0, 3)).toEqual(['Sunlight', 'Zest of Sun', 'A 000'])
    const last = await searchPage(db, 'sun', { offset: serverLimits.searchMatchesMax - 5, limit: 20 })
    expect(last.tracks).toHaveLength(5)
    expect(await searchPage(db, 'sun', { offset: 10_000, limit: 20 })).toEqual({ tracks: [], total: 200 })
  })

  it('13.13 are found by their new tags, and not while they are missing', async () => {
    const db = await open()
    const track = makeTrack('Blue', 'Ann', 'Sea')
    await store(db, [track])
    const retagged = { ...makeFile(track), search_text: 'green\nann\nsea' }
    await upsertLibraryFiles(db, [retagged])
    const found = async (): Promise<number[]> =>
      Promise.all(['blue', 'green', 'ann', 'se'].map(async (word) => (await searchPage(db, word)).total))
    expect(await found()).toEqual([0, 1, 1, 1])
    await markLibraryFilesMissing(db, [makeFile(track)], 5)
    expect(await found()).toEqual([0, 0, 0, 0])
    expect(await browseLibraryFiles(db, firstPage)).toEqual({ tracks: [], total: 0 })
    await upsertLibraryFiles(db, [retagged])
    expect(await found()).toEqual([0, 1, 1, 1])
  })

  it('13.14 are found with a trigram index, created once by servers that start together', async () => {
    const db = await open('altered')
    await store(db, [makeTrack('Blue Monday', 'Order', 'Power')])
    await Promise.all([1, 2, 3].map(() => createSearchIndex(db)))
    expect(await search(db, 'mond')).toEqual(['Blue Monday'])
    expect(await search(db, 'lu')).toEqual(['Blue Monday'])
  })

  it('13.14 are found without a trigram index, where the role may not create one', async () => {
    const db = await open()
    if (engineOf(db) === 'sqlite') return
    await store(db, [makeTrack('Blue Monday', 'Order', 'Power')])
    await db.connection().execute(async (connection) => {
      const role = `reader_${Math.trunc(performance.timeOrigin)}`
      await sql
        .raw(`create role ${role}; grant select on all tables in schema public to ${role}`)
        .execute(connection)
      await sql.raw(`set role ${role}`).execute(connection)
      await expect(createSearchIndex(connection)).rejects.toThrow('permission denied')
      expect(await search(connection, 'mond')).toEqual(['Blue Monday'])
      await sql.raw(`reset role; drop owned by ${role}; drop role ${role}`).execute(connection)
    })
  })
})
