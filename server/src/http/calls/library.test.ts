import { limits } from '@earshot/core/limits'
import { httpApi, type HttpCallName } from '@earshot/core/protocol/http-api'
import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { startApp, signUp } from '../../../test/apps.ts'
import { writeIn } from '../../../test/folders.ts'
import { idOf } from '../../../test/music.ts'
import { addRoom, startMusicServer, type MusicServer } from '../../../test/music-server.ts'
import { freezeWindows } from '../../../test/rate-windows.ts'
import { makeWav } from '../../../test/wav.ts'
import { serverLimits } from '../../server-limits.ts'
import { callRates } from '../../limits/rates.ts'

/** Starts a server with so many albums of Ann, two of Bob, and a single. */
async function start(albums = 3): Promise<MusicServer> {
  return startMusicServer(async (musicDir) => {
    for (let index = 0; index < albums + 2; index += 1) {
      const album = `Album ${String(index).padStart(2, '0')}`
      const info = { title: 'One', artist: index < albums ? 'Ann' : 'Bob', album, track: '1', date: '1990' }
      await writeIn(musicDir, `${index}.wav`, makeWav({ ...info, seed: index }))
    }
    await writeIn(
      musicDir,
      'second.wav',
      makeWav({ title: 'Two', artist: 'Ann', album: 'Album 00', track: '2' }),
    )
    await writeIn(musicDir, 'single.wav', makeWav({ title: 'Single', artist: 'Ann' }))
  })
}

/** Calls as `ann`, and validates the response against the contract. */
async function read<Name extends HttpCallName>({ request }: MusicServer, name: Name, path: string) {
  const answer = await request(path, { user: 'ann' })
  expect(answer.status).toBe(200)
  return httpApi[name].response.parse(await answer.json()) as z.infer<(typeof httpApi)[Name]['response']>
}

it('17.70 albums and artists come in pages, from a letter too; recent albums at once', async () => {
  const server = await start(63)
  const first = await read(server, 'listAlbums', '/api/library/albums')
  expect(first.albums).toHaveLength(60)
  const next = await read(server, 'listAlbums', `/api/library/albums?cursor=${first.nextCursor}`)
  expect(next.albums.map((album) => album.title)).toEqual([60, 61, 62, 63, 64].map((at) => `Album ${at}`))
  expect(next.nextCursor).toBeNull()
  const { artists } = await read(server, 'listArtists', '/api/library/artists?from=B')
  expect(artists).toEqual([{ id: expect.any(String), name: 'Bob', image: null }])
  const lettersOf = (of: string) => read(server, 'listLetters', `/api/library/letters?of=${of}`)
  expect([await lettersOf('albums'), await lettersOf('artists')]).toEqual([
    { letters: ['a'] },
    { letters: ['a', 'b'] },
  ])
  const recent = await read(server, 'listRecentAlbums', '/api/library/recent-albums')
  expect(recent).toMatchObject({ isScanning: false, albums: { length: 24 } })
})

it('17.71 an album has its tracks with numbers, an artist albums and the other tracks', async () => {
  const server = await start()
  const { albums } = await read(server, 'listAlbums', '/api/library/albums')
  const page = await read(server, 'getAlbum', `/api/library/albums/${albums[0]?.id}`)
  expect(page.album).toMatchObject({ title: 'Album 00', artist: 'Ann', year: 1990, image: null })
  expect(page.tracks).toMatchObject([
    { number: 1, disc: 1, track: { title: 'One', source: 'library' } },
    { number: 2, disc: 1, track: { title: 'Two' } },
  ])
  const artistId = page.album.artistId ?? ''
  const artist = await read(server, 'getArtist', `/api/library/artists/${artistId}`)
  expect(artist).toMatchObject({ artist: { name: 'Ann' }, tracks: [{ title: 'Single' }], nextCursor: null })
  const theirs = await read(server, 'listAlbums', `/api/library/albums?artistId=${artistId}`)
  expect(theirs.albums.map((album) => album.title)).toEqual(['Album 00', 'Album 01', 'Album 02'])
  expect(theirs.nextCursor).toBeNull()
})

it('17.72 a search finds albums and artists, at most twelve of each', async () => {
  const server = await start(12)
  const found = await read(server, 'searchLibrary', '/api/library/search?q=ALBUM%2006')
  expect(found.albums).toMatchObject([{ title: 'Album 06' }])
  expect((await read(server, 'searchLibrary', '/api/library/search?q=b')).albums).toHaveLength(12)
  expect((await read(server, 'searchLibrary', '/api/library/search?q=b%C3%B6b')).artists).toMatchObject([
    { name: 'Bob' },
  ])
  expect(await read(server, 'searchLibrary', "/api/library/search?q='%60")).toEqual({
    albums: [],
    artists: [],
  })
})

const paths = [
  '/api/library/recent-albums',
  '/api/library/albums',
  '/api/library/albums/alb_x',
  '/api/library/artists',
  '/api/library/artists/art_x',
  '/api/library/letters?of=albums',
  '/api/library/search?q=a',
]

it('17.73 browsing needs a session and the folder; unknown ids are not found', async () => {
  const server = await start()
  const statusOf = async (path: string, user?: string) => (await server.request(path, { user })).status
  for (const path of paths) expect(await statusOf(path)).toBe(401)
  expect(await statusOf('/api/library/albums/alb_x', 'ann')).toBe(404)
  expect(await statusOf('/api/library/artists/art_x', 'ann')).toBe(404)
  await rm(server.musicDir, { recursive: true })
  await server.library.rescan()
  for (const path of paths) expect(await statusOf(path, 'ann')).toBe(503)
})

it('17.73 invalid parameters are refused', async () => {
  const server = await start()
  const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
  for (const query of [
    'albums?cursor=x',
    'albums?cursor=',
    `albums?cursor=${cursorOf(['a', 5])}`,
    `albums?cursor=${cursorOf(['a', 'b\0'])}`,
    `albums?cursor=${'x'.repeat(6_001)}`,
    `albums?from=${'x'.repeat(21)}`,
    `albums/alb_x?cursor=${cursorOf(['a', 'b'])}`,
    `albums/alb_x?cursor=${cursorOf([-1, 1, 'a', 'b'])}`,
    `albums?artistId=${'x'.repeat(65)}`,
    'search?q=',
    `search?q=${'x'.repeat(201)}`,
    'search',
  ]) {
    const answer = await server.request(`/api/library/${query}`, { user: 'ann' })
    expect([query.slice(0, 30), answer.status]).toEqual([query.slice(0, 30), 400])
  }
})

it('17.73 who may not use the library browses nothing of it', async () => {
  const app = await startApp({ variables: { LIBRARY_ACCESS: 'invited' } })
  const ann = await signUp(app, 'ann')
  for (const path of paths) {
    await expect(app.call(ann, 'GET', path)).rejects.toMatchObject({ code: 'library_closed' })
  }
})

it('16.161 a user who searches without a pause is refused, and nobody else', async () => {
  const { request } = await start()
  freezeWindows()
  const search = async (user: string, path = '/api/tracks?source=library&q=a') =>
    (await request(path, { user })).status
  const statuses = await Promise.all(
    Array.from({ length: callRates.library.points / serverLimits.librarySearchPoints }, (_, index) =>
      search('ann', index % 2 === 0 ? undefined : '/api/library/search?q=a'),
    ),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await search('ann')).toBe(429)
  expect(await search('ann', '/api/library')).toBe(429)
  expect(await search('ben')).toBe(200)
  expect(await search('ben', `/api/library?offset=${limits.libraryOffsetMax + 1}`)).toBe(400)
})

it('17.78 members of a room get the waveform of its tracks, and nobody else', async () => {
  const server = await start()
  const trackId = await idOf(server.db, 'Single')
  await addRoom(server.db, 'room', { members: ['ann'], current: trackId })
  const { peaks } = await read(server, 'getWaveform', `/api/tracks/${trackId}/waveform`)
  expect(peaks).toHaveLength(200)
  expect(Math.max(...(peaks ?? []))).toBe(255)
  const statusOf = async (id: string, user?: string) =>
    (await server.request(`/api/tracks/${id}/waveform`, { user })).status
  expect(await statusOf(trackId, 'bob')).toBe(403)
  expect(await statusOf(trackId)).toBe(401)
  expect(await statusOf('lib_unknown', 'ann')).toBe(404)
})
