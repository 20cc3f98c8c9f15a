import { expect, it } from 'vitest'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import { limits } from '@earshot/core/limits'
import { describeDatabases } from '../../test/databases.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'
import { prepareScans } from '../../test/scans.ts'
import { makeWav } from '../../test/wav.ts'
import type { Db } from '../db/database.ts'
import { findTrack } from '../db/tracks.ts'
import { describeProvider } from '../providers/testing/provider-contract.ts'
import { createLibraryProvider, type LibraryProvider } from './library-provider.ts'

const tracks = [
  { title: 'Jóga', artist: 'Björk', album: 'Homogenic' },
  { title: 'Hyperballad', artist: 'Björk', album: 'Post' },
  { title: 'Don’t Stop', artist: 'Mac', album: 'Rumours' },
  { title: 'Stop', artist: 'Sam', album: 'Jog On' },
  { title: '100% Pure', artist: 'Crystal', album: 'A_B' },
]

/** A provider over a folder of small files, and a function that removes the folder. */
async function openProvider(db: Db, tags = tracks) {
  const musicDir = await makeFolder()
  for (const [seed, tag] of tags.entries()) await writeIn(musicDir, `${seed}.wav`, makeWav({ ...tag, seed }))
  await prepareScans(db, musicDir)()
  let status: SourceStatus = { source: 'library', available: true, reason: null }
  const provider = createLibraryProvider(db, { status: () => status, isScanning: () => false })
  return {
    provider,
    breakDown: (reason: string) => (status = { source: 'library', available: false, reason }),
  }
}

async function search(provider: LibraryProvider, query: string): Promise<string[]> {
  const found = await provider.search(query, { offset: 0, limit: limits.searchPageSize }, 'ann')
  return found.tracks.map((track) => track.title)
}

/** Typed queries, and the titles that they mean. */
const meant: [query: string, titles: string[]][] = [
  ['joga', ['Jóga']],
  ['JÓGA', ['Jóga']],
  ['bjork', ['Hyperballad', 'Jóga']],
  ['post björk', ['Hyperballad']],
  ['  hyper   ballad ', ['Hyperballad']],
  ['dont stop', ['Don’t Stop']],
  ["don't", ['Don’t Stop']],
  ['stop', ['Stop', 'Don’t Stop']],
  ['jog', ['Jóga', 'Stop']],
  ['100%', ['100% Pure']],
  ['%', ['100% Pure']],
  ['a_b', ['100% Pure']],
  ['\\', []],
]

describeDatabases('the library', (open) => {
  describeProvider('the library', async () => {
    const db = await open()
    const { provider, breakDown } = await openProvider(db)
    return {
      provider,
      query: 'o',
      unmatchedQuery: 'zzz',
      findStored: (trackId) => findTrack(db, trackId),
      breakDown: async () => void breakDown('The folder is gone'),
    }
  })

  it('finds what somebody means', async () => {
    const { provider } = await openProvider(await open())
    for (const [query, titles] of meant)
      expect([query, await search(provider, query)]).toEqual([query, titles])
  })

  it('15.117 finds what is written with punctuation between its words', async () => {
    const { provider } = await openProvider(await open())
    for (const query of ['Björk - Jóga', 'Jóga (Björk)', 'bjork: joga', 'Homogenic, “Björk”'])
      expect([query, await search(provider, query)]).toEqual([query, ['Jóga']])
  })

  it('9.1a returns pages of 20 results', async () => {
    const many = Array.from({ length: 45 }, (_, index) => ({
      title: `Song ${String(index).padStart(2, '0')}`,
      artist: 'Ann',
      album: 'Sea',
    }))
    const { provider } = await openProvider(await open(), many)
    const pages = await Promise.all(
      [0, 20, 40].map((offset) => provider.search('song', { offset, limit: limits.searchPageSize }, 'ann')),
    )
    expect(pages.map((page) => page.tracks.length)).toEqual([20, 20, 5])
    expect(pages.map((page) => page.total)).toEqual([45, 45, 45])
    expect(pages.flatMap((page) => page.tracks.map((track) => track.title))).toEqual(
      many.map((tag) => tag.title),
    )
  })

  it('is browsed by artist, album and title, ignoring case and accents', async () => {
    const { provider, breakDown } = await openProvider(await open())
    const { tracks: all, total } = await provider.browse({ offset: 0, limit: 20 })
    expect(all.map((track) => track.title)).toEqual([
      'Jóga',
      'Hyperballad',
      '100% Pure',
      'Don’t Stop',
      'Stop',
    ])
    expect(total).toBe(5)
    breakDown('The folder is gone')
    await expect(provider.browse({ offset: 0, limit: 20 })).rejects.toMatchObject({
      code: 'source_unavailable',
    })
  })
})
