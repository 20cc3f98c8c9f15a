import type { Playlist, PlaylistPage, LinkTarget } from '@earshot/core/protocol/providers'
import { catalogue, toSpotifyId } from '@earshot/provider-doubles/spotify/catalogue'
import { foreignPlaylist } from '@earshot/provider-doubles/spotify/spotify-double'
import { rateLimited } from '@earshot/provider-doubles/spotify/spotify-faults'
import { describe, expect, it } from 'vitest'
import { signUp, type TestUser } from '../../../test/apps.ts'
import { findTrack } from '../../db/tracks.ts'
import { connect, startSpotifyApp } from './testing/spotify-app.ts'

const playlistId = (name: string): string => toSpotifyId(`playlist premium-paula ${name}`)

async function start() {
  const parts = await startSpotifyApp()
  const [ann, bob] = [await signUp(parts.app, 'ann'), await signUp(parts.app, 'bob')]
  await connect(parts, ann)
  const list = (user: TestUser, query = '') =>
    parts.app.call<{ playlists: Playlist[]; nextOffset: number | null }>(
      user,
      'GET',
      `/api/spotify/playlists${query}`,
    )
  const read = async (user: TestUser, id: string, cursor?: string): Promise<PlaylistPage> => {
    const query = cursor === undefined ? '' : `?cursor=${cursor}`
    const path = `/api/playlists/spotify/${id}${query}`
    return (await parts.app.call<{ page: PlaylistPage }>(user, 'GET', path)).page
  }
  const resolve = async (user: TestUser, url: string): Promise<LinkTarget> =>
    (await parts.app.call<{ target: LinkTarget }>(user, 'POST', '/api/links', { url })).target
  return { ...parts, ann, bob, list, read, resolve }
}

describe("the user's playlists", () => {
  it.each([false, true])('7.12b are listed (old field names: %s)', async (usesOldFieldNames) => {
    const { double, ann, list } = await start()
    double.control.webApi.usesOldFieldNames = usesOldFieldNames
    const { playlists, nextOffset } = await list(ann)
    expect(nextOffset).toBeNull()
    expect(playlists.map(({ name, trackCount }) => [name, trackCount])).toEqual([
      ['Sunday Morning', 8],
      ['Odds and Ends', 9],
      ['Everything', 120],
      ['Empty', 0],
    ])
    expect(playlists[0]).toEqual({
      id: playlistId('Sunday Morning'),
      source: 'spotify',
      name: 'Sunday Morning',
      trackCount: 8,
      image: expect.stringMatching(/^https:/),
      ownerName: 'Paula',
    })
    expect(playlists[3]?.image).toBeNull()
  })

  it('7.12b come in pages', async () => {
    const { double, ann, list } = await start()
    const [sample] = double.control.playlists
    for (let count = 0; count < 60; count += 1) {
      double.control.playlists.push({ ...sample!, id: toSpotifyId(`more ${count}`), name: `More ${count}` })
    }
    const first = await list(ann)
    const second = await list(ann, `?offset=${first.nextOffset}`)
    expect(first.nextOffset).toBe(50)
    expect(second.nextOffset).toBeNull()
    expect(new Set([...first.playlists, ...second.playlists].map(({ id }) => id)).size).toBe(64)
  })

  it('require a connected account', async () => {
    const { bob, list, read } = await start()
    await expect(list(bob)).rejects.toMatchObject({ code: 'not_connected' })
    await expect(read(bob, playlistId('Empty'))).rejects.toMatchObject({ code: 'not_connected' })
  })

  it('15.2 are not asked for while a limit is reached', async () => {
    const { double, ann, list } = await start()
    double.control.fail('GET /v1/me/playlists', rateLimited(9))
    const refused = { code: 'provider_limit', details: { retryAfterMs: expect.any(Number) } }
    await expect(list(ann)).rejects.toMatchObject(refused)
    const before = double.calls.length
    await expect(list(ann)).rejects.toMatchObject(refused)
    expect(double.calls).toHaveLength(before)
  })
})

describe('a Spotify playlist', () => {
  it.each([false, true])(
    '7.12b lists what can be queued, and why the rest cannot (old field names: %s)',
    async (usesOldFieldNames) => {
      const { app, double, ann, read } = await start()
      double.control.webApi.usesOldFieldNames = usesOldFieldNames
      const page = await read(ann, playlistId('Odds and Ends'))
      expect(page.playlist).toMatchObject({ name: 'Odds and Ends', trackCount: 9 })
      expect(page.nextCursor).toBeNull()
      const expected = [4, 5, 6, 21, 4].map((index) => `spotify:${catalogue[index]?.id}`)
      expect(page.tracks.map(({ id }) => id)).toEqual(expected)
      expect(page.skipped).toEqual([
        { title: '', reason: 'No longer available on Spotify' },
        { title: 'Episode 12: How Records Are Pressed', reason: 'A podcast episode' },
        { title: 'Demo Tape (My Computer)', reason: "A file on its owner's device" },
        { title: 'Hum', reason: 'Not available in your country' },
      ])
      for (const track of page.tracks) expect(await findTrack(app.db, track.id)).toEqual(track)
    },
  )

  it('7.12b is read in parts of 50', async () => {
    const { ann, read } = await start()
    const counts: number[] = []
    let cursor: string | undefined
    do {
      const page: PlaylistPage = await read(ann, playlistId('Everything'), cursor)
      counts.push(page.tracks.length + page.skipped.length)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(counts).toEqual([50, 50, 20])
    expect(await read(ann, playlistId('Empty'))).toMatchObject({ tracks: [], skipped: [], nextCursor: null })
  })

  it.each(['forbidden', 'without-items'] as const)(
    'of somebody else is refused with the reason (%s)',
    async (foreignPlaylists) => {
      const { double, ann, read } = await start()
      double.control.webApi.foreignPlaylists = foreignPlaylists
      await expect(read(ann, foreignPlaylist.id)).rejects.toMatchObject({
        code: 'provider_failed',
        message: expect.stringContaining('to its owner and collaborators only'),
      })
    },
  )

  it('that does not exist, or a cursor that Earshot never gave, is refused', async () => {
    const { double, ann, read } = await start()
    const before = double.calls.length
    await expect(read(ann, '..%2Fme')).rejects.toMatchObject({ code: 'not_found' })
    const page = read(ann, playlistId('Everything'), '-1')
    await expect(page).rejects.toMatchObject({ code: 'invalid_input' })
    expect(double.calls).toHaveLength(before)
    await expect(read(ann, '0'.repeat(22))).rejects.toMatchObject({ code: 'not_found' })
    await expect(read(ann, 'short')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a pasted Spotify link', () => {
  const [song] = catalogue
  const link = `https://open.spotify.com/intl-de/track/${song?.id}?si=abc`

  it('7.12b leads to its track, which is stored', async () => {
    const { app, ann, resolve } = await start()
    const target = await resolve(ann, link)
    expect(target).toMatchObject({ kind: 'track', track: { id: `spotify:${song?.id}`, title: song?.title } })
    const stored = await findTrack(app.db, `spotify:${song?.id}`)
    expect(target).toEqual({ kind: 'track', track: stored })
  })

  it('7.12b leads to the first part of its playlist', async () => {
    const { ann, resolve } = await start()
    const target = await resolve(ann, `spotify:playlist:${playlistId('Sunday Morning')}`)
    expect(target).toMatchObject({
      kind: 'playlist',
      page: { playlist: { trackCount: 8 }, nextCursor: null },
    })
  })

  it('leads to a stored track where Spotify does not answer, or the user is not connected', async () => {
    const { double, ann, bob, resolve } = await start()
    await expect(resolve(bob, link)).rejects.toMatchObject({ code: 'not_connected' })
    const first = await resolve(ann, link)
    expect(await resolve(bob, link)).toEqual(first)
    double.control.fail('GET /v1/tracks', { hangUp: true })
    expect(await resolve(ann, link)).toEqual(first)
  })

  it('to nothing, or to what cannot be added, is refused', async () => {
    const { ann, resolve } = await start()
    const missing = resolve(ann, `https://open.spotify.com/track/${'0'.repeat(22)}`)
    await expect(missing).rejects.toMatchObject({ code: 'track_not_found' })
    const album = resolve(ann, `https://open.spotify.com/album/${'0'.repeat(22)}`)
    await expect(album).rejects.toMatchObject({ code: 'link_not_supported' })
    const blocked = resolve(ann, `spotify:track:${catalogue.find(({ title }) => title === 'Hum')?.id}`)
    await expect(blocked).rejects.toMatchObject({ message: expect.stringContaining('country') })
  })
})
