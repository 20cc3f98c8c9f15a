import { rm } from 'node:fs/promises'
import { limits } from '@earshot/core/limits'
import { httpApi, type HttpCallName } from '@earshot/core/protocol/http-api'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { writeIn } from '../../../test/folders.ts'
import { shareMusicServer, startMusicServer } from '../../../test/music-server.ts'
import { makeWav } from '../../../test/wav.ts'
import { toPage } from './music.ts'

async function fill(musicDir: string): Promise<void> {
  for (let index = 0; index < 45; index += 1) {
    const title = `Song ${String(index).padStart(2, '0')}`
    await writeIn(musicDir, `${index}.wav`, makeWav({ title, artist: 'Björk', album: 'Sea', seed: index }))
  }
}

const shared = shareMusicServer(fill)

/** Calls, and validates the response against the contract. */
async function read<Name extends HttpCallName>(
  name: Name,
  answer: Response,
): Promise<z.infer<(typeof httpApi)[Name]['response']>> {
  expect(answer.status).toBe(200)
  return httpApi[name].response.parse(await answer.json()) as z.infer<(typeof httpApi)[Name]['response']>
}

async function expectError(answer: Response, status: number, code: string): Promise<string> {
  expect(answer.status).toBe(status)
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  expect(error.code).toBe(code)
  return error.message
}

describe('searching tracks', () => {
  it('9.1a returns pages of 20 from the library, and the offset of the next', async () => {
    const { request } = shared
    const titles: string[] = []
    let offset: number | null = 0
    while (offset !== null) {
      const path: string = `/api/tracks?source=library&q=${encodeURIComponent('song bjork')}&offset=${offset}`
      const page = await read('searchTracks', await request(path, { user: 'ann' }))
      expect(page.total).toBe(45)
      titles.push(...page.tracks.map((track) => track.title))
      offset = page.nextOffset
    }
    expect(titles).toEqual(Array.from({ length: 45 }, (_, index) => `Song ${String(index).padStart(2, '0')}`))
  })

  it('accepts a smaller page size', async () => {
    const { request } = shared
    const page = await read(
      'searchTracks',
      await request('/api/tracks?source=library&q=song&offset=40&limit=3', { user: 'ann' }),
    )
    expect(page.tracks.map((track) => track.title)).toEqual(['Song 40', 'Song 41', 'Song 42'])
    expect(page.nextOffset).toBe(43)
  })

  it('5.5 rejects a blank query', async () => {
    const { request } = shared
    const answer = await request('/api/tracks?source=library&q=%20%09%20', { user: 'ann' })
    expect(await expectError(answer, 400, 'invalid_input')).toContain('q')
  })

  it('is rejected where a parameter is missing or wrong', async () => {
    const { request } = shared
    for (const [query, part] of [
      ['source=library', 'q'],
      ['q=song', 'source'],
      ['source=radio&q=song', 'source'],
      ['source=library&q=song&limit=21', 'limit'],
      ['source=library&q=song&offset=-1', 'offset'],
      ['source=library&q=song&offset=x', 'offset'],
      [`source=library&q=${'x'.repeat(201)}`, 'q'],
    ] as const) {
      const answer = await request(`/api/tracks?${query}`, { user: 'ann' })
      expect(await expectError(answer, 400, 'invalid_input')).toContain(part)
    }
  })

  it('6.2a requires a session', async () => {
    const { request } = shared
    for (const path of ['/api/tracks?source=library&q=song', '/api/library', '/api/tracks/lib_one']) {
      const answer = await request(path)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ error: { code: 'unauthenticated' } })
    }
  })

  it('in an unavailable source returns the reason', async () => {
    const { request } = shared
    const answer = await request('/api/tracks?source=spotify&q=song', { user: 'ann' })
    expect(await expectError(answer, 503, 'source_unavailable')).toContain('SPOTIFY_CLIENT_ID')
  })
})

describe('a single track', () => {
  it('7.4 is found by its id', async () => {
    const { request } = shared
    const found = await request('/api/tracks?source=library&q=song&limit=1', { user: 'ann' })
    const [track] = (await read('searchTracks', found)).tracks
    const answer = await request(`/api/tracks/${track!.id}`, { user: 'ann' })
    expect(await read('getTrack', answer)).toEqual({ track })
    expect(track).toMatchObject({ title: 'Song 00', artist: 'Björk', album: 'Sea', duration: 100 })
    await expectError(await request('/api/tracks/lib_unknown', { user: 'ann' }), 404, 'track_not_found')
  })
})

describe('browsing the library', () => {
  it('reports whether a scan is running, so that more may follow', async () => {
    const { request, library, musicDir } = await startMusicServer(fill)
    await library.rescan()
    const browse = async () => read('browseLibrary', await request('/api/library', { user: 'ann' }))
    expect(await browse()).toMatchObject({ total: 45, isScanning: false })
    await writeIn(musicDir, 'new.wav', makeWav({ title: 'New' }))
    await library.rescan()
    // A file that was just written may be incomplete.
    expect(await browse()).toMatchObject({ total: 45, isScanning: true })
  })

  it('returns all tracks in pages of 20', async () => {
    const { request } = shared
    const pages = []
    for (const offset of [0, 20, 40]) {
      pages.push(await read('browseLibrary', await request(`/api/library?offset=${offset}`, { user: 'ann' })))
    }
    expect(pages.map((page) => [page.tracks.length, page.total, page.nextOffset])).toEqual([
      [20, 45, 20],
      [20, 45, 40],
      [5, 45, null],
    ])
  })
})

describe('the sources', () => {
  it('2.26a are listed with what is missing and where to set it, for visitors too', async () => {
    const { request, library, musicDir } = await startMusicServer(fill)
    const list = async () => (await read('listSources', await request('/api/sources'))).sources
    expect(await list()).toEqual([
      { source: 'library', available: true, reason: null },
      { source: 'spotify', available: false, reason: expect.stringContaining('Set SPOTIFY_CLIENT_ID') },
      {
        source: 'youtube',
        available: true,
        reason: expect.stringContaining('Set YOUTUBE_API_KEY'),
        canSearch: false,
      },
    ])
    await rm(musicDir, { recursive: true })
    await library.rescan()
    const reason = expect.stringMatching(/does not exist.*set MUSIC_DIR/)
    expect((await list())[0]).toEqual({ source: 'library', available: false, reason })
    const search = await request('/api/tracks?source=library&q=song', { user: 'ann' })
    expect(await expectError(search, 503, 'source_unavailable')).toMatch(/MUSIC_DIR/)
    await expectError(await request('/api/library', { user: 'ann' }), 503, 'source_unavailable')
  })
})

describe('a page of tracks', () => {
  const track = { id: 'a', title: '', artist: '', album: '', duration: 1, source: 'library' as const }
  const tracks = Array.from({ length: 20 }, () => ({ ...track, albumArt: null, album_art: null }))

  it('has no next page beyond the maximum offset', () => {
    const found = { tracks, total: 100_000 }
    const offsetMax = limits.searchOffsetMax
    expect(toPage(found, { offset: offsetMax - 20, offsetMax }).nextOffset).toBe(offsetMax)
    expect(toPage(found, { offset: offsetMax, offsetMax }).nextOffset).toBeNull()
    expect(toPage(found, { offset: offsetMax }).nextOffset).toBe(offsetMax + 20)
  })

  it('has no next page when it is empty or the last', () => {
    expect(toPage({ tracks: [], total: 5 }, { offset: 9 }).nextOffset).toBeNull()
    expect(toPage({ tracks, total: 20 }, { offset: 0 }).nextOffset).toBeNull()
  })
})
