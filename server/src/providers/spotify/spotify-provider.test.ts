import type { SourceStatus, Track } from '@earshot/core/protocol/entities'
import { toSpotifyId } from '@earshot/provider-doubles/spotify/catalogue'
import { spotifySettings } from '@earshot/provider-doubles/server-settings'
import { garbage, serverError } from '@earshot/provider-doubles/faults'
import { quotaExceeded, rateLimited, tokenExpired } from '@earshot/provider-doubles/spotify/spotify-faults'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { captureLog } from '../../../test/log.ts'
import { signUp, type TestApp, type TestUser } from '../../../test/apps.ts'
import { systemClock } from '../../clock/server-clock.ts'
import { findTrack } from '../../db/tracks.ts'
import { parseEnv } from '../../env/env.ts'
import { describeProvider } from '../testing/provider-contract.ts'
import { createSpotify } from './spotify.ts'
import { connect, startSpotifyApp, type SpotifyTestApp } from './testing/spotify-app.ts'

interface Found {
  tracks: Track[]
  total: number
  nextOffset: number | null
}

const search = (app: TestApp, user: TestUser, q: string, more = ''): Promise<Found> =>
  app.call<Found>(user, 'GET', `/api/tracks?source=spotify&q=${encodeURIComponent(q)}${more}`)

const sourceOf = async (app: TestApp, user: TestUser | null): Promise<SourceStatus | undefined> =>
  (await app.call<{ sources: SourceStatus[] }>(user, 'GET', '/api/sources')).sources.find(
    ({ source }) => source === 'spotify',
  )

const searchesOf = ({ double }: Pick<SpotifyTestApp, 'double'>): Record<string, string>[] =>
  double.calls.flatMap(({ path, query }) => (path === '/v1/search' ? [query] : []))

async function start(): Promise<SpotifyTestApp & { ann: TestUser; bob: TestUser }> {
  const parts = await startSpotifyApp()
  const [ann, bob] = [await signUp(parts.app, 'ann'), await signUp(parts.app, 'bob')]
  await connect(parts, ann)
  return { ...parts, ann, bob }
}

describeProvider('Spotify', async () => {
  const { app, double, ann } = await start()
  const open = (variables: Record<string, string>) =>
    createSpotify({
      env: parseEnv(variables),
      db: app.db,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      secret: app.secret,
      redis: null,
      origin: () => app.address,
    }).provider
  let current = open(spotifySettings(double))
  return {
    provider: {
      source: 'spotify',
      status: (userId) => current.status(userId),
      search: (...parameters) => current.search(...parameters),
    },
    userId: ann.id,
    query: 'slow weather',
    unmatchedQuery: 'no such song anywhere',
    findStored: (trackId) => findTrack(app.db, trackId),
    async breakDown() {
      current = open({})
    },
  }
})

describe('searching Spotify', () => {
  it('7.12a, 9.1b merges two requests of 10 into a page of 20, and goes on from there', async () => {
    const { app, double, ann } = await start()
    const page = await search(app, ann, 'e')
    expect(page.tracks).toHaveLength(20)
    const queries = searchesOf({ double }).map(({ limit, offset, q, type }) => ({ limit, offset, q, type }))
    expect(queries.toSorted((a, b) => Number(a.offset) - Number(b.offset))).toEqual([
      { limit: '10', offset: '0', q: 'e', type: 'track' },
      { limit: '10', offset: '10', q: 'e', type: 'track' },
    ])
    expect(page.nextOffset).toBe(20)
    const rest = await search(app, ann, 'e', '&offset=20')
    expect(new Set([...page.tracks, ...rest.tracks].map(({ id }) => id)).size).toBe(20 + rest.tracks.length)
    expect(rest.tracks.length).toBeGreaterThan(0)
  })

  it('7.12a reads title, artists, album, image, duration, address and code', async () => {
    const { app, ann } = await start()
    const { tracks, total } = await search(app, ann, 'harbour lights')
    const id = toSpotifyId('track Paper Lanterns Harbour Lights')
    expect(total).toBe(1)
    expect(tracks).toEqual([
      {
        id: `spotify:${id}`,
        title: 'Harbour Lights',
        artist: 'Paper Lanterns',
        album: 'Slow Weather',
        duration: 120_000,
        source: 'spotify',
        albumArt: expect.stringMatching(/^https:/),
        album_art: tracks[0]?.albumArt,
        url: `https://open.spotify.com/track/${id}`,
        uri: `spotify:track:${id}`,
        isrc: 'QZEAR2500001',
      },
    ])
  })

  it('leaves out what cannot be played in the country of the user', async () => {
    const { app, ann } = await start()
    expect((await search(app, ann, 'velvet static')).tracks.map(({ title }) => title)).not.toContain('Hum')
  })

  it('7.12a goes on where Spotify states no total, but a next part', async () => {
    const { app, double, ann } = await start()
    const item = (index: number) => ({ id: `t${index}`, name: `Song ${index}`, duration_ms: 60_000 })
    const answer = (from: number) => ({
      tracks: { items: Array.from({ length: 10 }, (_, index) => item(from + index)), next: 'https://next' },
    })
    double.control.fail('GET /v1/search', { status: 200, body: answer(10) })
    expect(await search(app, ann, 'song')).toMatchObject({ nextOffset: 20 })
  })

  it('15.43 shows what was found where a later part of the page fails, and goes on there', async () => {
    const { app, double, ann } = await start()
    double.control.fail('GET /v1/search', { ...serverError, query: { offset: '10' } })
    const page = await search(app, ann, 'e')
    expect([page.tracks.length, page.nextOffset]).toEqual([10, 10])
    double.control.clearFaults()
    expect((await search(app, ann, 'e', '&offset=10')).tracks.length).toBeGreaterThan(0)
  })

  it('8.4b finds nothing for a user who is not connected, and asks nobody', async () => {
    const { app, double, bob } = await start()
    expect(await search(app, bob, 'harbour')).toEqual({ tracks: [], total: 0, nextOffset: null })
    expect(searchesOf({ double })).toEqual([])
  })

  it('refreshes a token that Spotify refuses, once, and repeats the search', async () => {
    const { app, double, ann } = await start()
    double.control.expireAccessTokens('premium-paula')
    expect((await search(app, ann, 'harbour')).tracks).toHaveLength(1)
    expect(double.calls.filter(({ body }) => body.includes('refresh_token='))).toHaveLength(1)
    double.control.fail('GET /v1/search', tokenExpired)
    await expect(search(app, ann, 'harbour')).rejects.toMatchObject({ code: 'provider_failed' })
  })

  it('asks to connect again once the consent was withdrawn', async () => {
    const { app, double, ann } = await start()
    double.control.revokeConsent('premium-paula')
    await expect(search(app, ann, 'harbour')).rejects.toMatchObject({ code: 'must_reconnect' })
  })

  it('15.2 pauses the searches of one user after a 429, answers at once, and says until when', async () => {
    const { app, double, clock, ann, bob, advance } = await start()
    await connect({ app, double }, bob, 'premium-pedro')
    double.control.fail('GET /v1/search', rateLimited(20))
    const refused = { code: 'provider_limit', details: { retryAfterMs: expect.any(Number) } }
    await expect(search(app, ann, 'harbour')).rejects.toMatchObject(refused)
    const again = search(app, ann, 'other')
    await expect(again).rejects.toMatchObject(refused)
    expect(searchesOf({ double }).map(({ q }) => q)).not.toContain('other')
    const until = (await sourceOf(app, ann))?.searchPausedUntil ?? 0
    expect(until - clock.now()).toBeGreaterThan(15_000)
    expect(until - clock.now()).toBeLessThanOrEqual(20_000)
    double.control.clearFaults()
    expect((await search(app, bob, 'harbour')).tracks).toHaveLength(1)
    expect((await sourceOf(app, bob))?.searchPausedUntil).toBeUndefined()
    advance(20_000)
    expect((await search(app, ann, 'harbour')).tracks).toHaveLength(1)
    expect((await sourceOf(app, ann))?.searchPausedUntil).toBeUndefined()
  })

  it('15.2 pauses the searches of everybody once the quota of the app is used up', async () => {
    const { app, double, clock, ann, bob, advance } = await start()
    await connect({ app, double }, bob, 'premium-pedro')
    double.control.fail('GET /v1/search', quotaExceeded(46_800))
    await expect(search(app, ann, 'harbour')).rejects.toMatchObject({ code: 'provider_limit' })
    double.control.clearFaults()
    const refused = { code: 'provider_limit', message: expect.stringContaining('limit') }
    await expect(search(app, bob, 'harbour')).rejects.toMatchObject(refused)
    const status = await sourceOf(app, null)
    expect(status).toMatchObject({ available: true })
    expect((status?.searchPausedUntil ?? 0) - clock.now()).toBeGreaterThan(46_000_000)
    advance(46_800_000)
    expect((await search(app, bob, 'harbour')).tracks).toHaveLength(1)
  })

  it.each([
    ['fails', serverError],
    ['breaks the connection', { hangUp: true }],
    ['sends no JSON', garbage],
    ['sends something else', { status: 200, body: { albums: {} } }],
    [
      'refuses the user',
      { status: 403, body: { error: { status: 403, message: 'Insufficient client scope' } } },
    ],
    ['redirects elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9/v1/search' } }],
  ])('is answered with an error where Spotify %s', async (_, fault) => {
    const { app, double, ann } = await start()
    double.control.fail('GET /v1/search', fault)
    await expect(search(app, ann, 'harbour')).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.stringContaining('Spotify'),
    })
  })

  it('is refused to a client that searches all the time', async () => {
    const { app, double, ann } = await start()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => search(app, ann, `harbour ${index}`)),
    )
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
    const failed = outcomes.filter((each) => each.status === 'rejected')
    for (const { reason } of failed) expect(reason).toMatchObject({ code: 'rate_limited' })
    expect(searchesOf({ double }).length).toBeLessThanOrEqual(60)
  })
})

it.each([
  ['http://localhost:3000', undefined, true],
  ['http://192.168.1.5:3000', undefined, true],
  ['http://127.0.0.1:3000', undefined, false],
  ['https://music.example.org', undefined, false],
  ['http://localhost:3000', 'http://[::1]:3000/callback', false],
  ['https://music.example.org', 'http://localhost:3000/callback', true],
])(
  '7.10c says at the start that Spotify refuses the address: %s, %s',
  async (publicUrl, redirect, isRefused) => {
    const { app, double } = await startSpotifyApp()
    const { logger, lines } = captureLog('warn')
    const given = { PUBLIC_URL: publicUrl, ...(redirect ? { SPOTIFY_REDIRECT_URI: redirect } : {}) }
    createSpotify({
      env: parseEnv({ ...spotifySettings(double), ...given }),
      db: app.db,
      clock: systemClock,
      logger,
      secret: app.secret,
      redis: null,
      origin: () => publicUrl,
    })
    expect(lines.filter(({ msg }) => msg.includes('refuses')).length).toBe(isRefused ? 1 : 0)
  },
)
