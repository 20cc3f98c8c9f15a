import type { Page } from '@spotify/web-api-ts-sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { garbage, serverError } from '../faults.ts'
import { foreignPlaylist, startSpotifyDouble, type SpotifyDouble } from './spotify-double.ts'
import { quotaExceeded, rateLimited } from './spotify-faults.ts'
import type { EntryAnswer, SearchAnswer, TrackAnswer } from './web-api-types.ts'

let double: SpotifyDouble
let token: string
beforeAll(async () => {
  double = await startSpotifyDouble()
  token = double.control.issueAccessToken('premium-paula')
})
afterEach(() => double.control.clearFaults())
afterAll(() => double.close())

async function get(path: string, accessToken: string | null = token) {
  const headers: Record<string, string> =
    accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }
  const response = await fetch(double.apiUrl + path, { headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const errorBody = (status: number, message: string) => ({ status, body: { error: { status, message } } })

describe('search', () => {
  it('answers five by default and at most ten', async () => {
    const byDefault: SearchAnswer = (await get('/v1/search?type=track&q=e')).body
    expect(byDefault.tracks).toMatchObject({ limit: 5, offset: 0, previous: null })
    expect(byDefault.tracks.items).toHaveLength(5)
    expect((await get('/v1/search?type=track&q=e&limit=10')).body.tracks.items).toHaveLength(10)
    for (const limit of ['11', '20', '50', '0', 'x']) {
      expect(await get(`/v1/search?type=track&q=e&limit=${limit}`)).toMatchObject(
        errorBody(400, 'Invalid limit'),
      )
    }
  })

  it('pages with offset until total', async () => {
    const first: SearchAnswer = (await get('/v1/search?type=track&q=e&limit=10')).body
    const second: SearchAnswer = (await get('/v1/search?type=track&q=e&limit=10&offset=10')).body
    const ids = new Set([...first.tracks.items, ...second.tracks.items].map(({ id }) => id))
    expect(ids.size).toBe(20)
    expect(first.tracks.next).toContain('offset=10')
    const past: SearchAnswer = (await get('/v1/search?type=track&q=e&limit=10&offset=900')).body
    expect(past.tracks).toMatchObject({ items: [], next: null, total: first.tracks.total })
  })

  it('finds by words, by ISRC, and nothing', async () => {
    const byWords: SearchAnswer = (await get('/v1/search?type=track&q=paper+harbour')).body
    expect(byWords.tracks.items.map(({ name }) => name)).toEqual(['Harbour Lights'])
    const byIsrc: SearchAnswer = (await get('/v1/search?type=track&q=isrc:QZEAR2500009')).body
    expect(byIsrc.tracks.items[0]).toMatchObject({
      name: 'Ordinary Sunday',
      external_ids: { isrc: 'QZEAR2500009' },
    })
    expect((await get('/v1/search?type=track&q=zzzzzz')).body.tracks).toMatchObject({ items: [], total: 0 })
  })

  it('refuses a missing query and a missing type', async () => {
    expect(await get('/v1/search?type=track')).toMatchObject(errorBody(400, 'No search query'))
    expect(await get('/v1/search?q=e')).toMatchObject(errorBody(400, 'Missing parameter type'))
  })
})

describe('access', () => {
  it('refuses a missing, malformed, unknown or expired token', async () => {
    expect(await get('/v1/me', null)).toMatchObject(errorBody(401, 'No token provided'))
    expect(await get('/v1/me', 'two words')).toMatchObject({ status: 400 })
    expect(await get('/v1/me', 'BQnever')).toMatchObject(errorBody(401, 'Invalid access token'))
    const old = double.control.issueAccessToken('premium-pedro')
    double.control.expireAccessTokens('premium-pedro')
    expect(await get('/v1/me', old)).toMatchObject(errorBody(401, 'The access token expired'))
  })

  it('refuses users who are not on the allow-list, in plain text', async () => {
    const unlisted = double.control.issueAccessToken('unlisted-uma')
    const answer = await get('/v1/me', unlisted)
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('the user may not be registered')
  })

  it('refuses calls that the token has no scope for', async () => {
    const narrow = double.control.issueAccessToken('premium-paula', ['user-read-private'])
    expect(await get('/v1/me/playlists', narrow)).toMatchObject(errorBody(403, 'Insufficient client scope'))
  })

  it('lets pages of other origins read answers and Retry-After', async () => {
    const { headers } = await get('/v1/me')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
    const preflight = await fetch(`${double.apiUrl}/v1/me`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://127.0.0.1:3000',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  })
})

describe('the profile and a track', () => {
  it('has no field that was removed in February 2026', async () => {
    const { body } = await get('/v1/me')
    expect(body).toMatchObject({ id: 'premium-paula', display_name: 'Paula', images: [] })
    for (const gone of ['email', 'country', 'product', 'followers']) expect(body).not.toHaveProperty(gone)
    const { id } = double.control.tracks[0]!
    const track: TrackAnswer = (await get(`/v1/tracks/${id}`)).body
    expect(track).toMatchObject({ id, uri: `spotify:track:${id}`, is_playable: true, is_local: false })
    for (const gone of ['popularity', 'available_markets', 'linked_from'])
      expect(track).not.toHaveProperty(gone)
  })

  it('refuses unknown ids, malformed ids and removed calls', async () => {
    expect((await get(`/v1/tracks/${'0'.repeat(22)}`)).status).toBe(404)
    expect((await get('/v1/tracks/short')).status).toBe(400)
    expect((await get('/v1/recommendations')).status).toBe(404)
    expect((await get('/v1/users/premium-pedro')).status).toBe(404)
  })
})

describe('playlists', () => {
  const ownPlaylists = async () => (await get('/v1/me/playlists')).body.items

  it('lists own playlists with the count under items, and null entries', async () => {
    const items = await ownPlaylists()
    expect(items).toContain(null)
    expect(items[0]).toMatchObject({
      name: 'Sunday Morning',
      items: { total: 8 },
      owner: { id: 'premium-paula' },
    })
    expect(items[0]).not.toHaveProperty('tracks')
    expect(await get('/v1/me/playlists?limit=51')).toMatchObject(errorBody(400, 'Invalid limit'))
  })

  it('answers entries of every kind: tracks, null, episodes, local files', async () => {
    const { id } = (await ownPlaylists())[2]
    const page: Page<EntryAnswer> = (await get(`/v1/playlists/${id}/items`)).body
    expect(page.items.map(({ item }) => item?.type ?? null)).toEqual([
      'track',
      'track',
      'track',
      null,
      'episode',
      'track',
      'track',
      'track',
      'track',
    ])
    expect(page.items[5]).toMatchObject({ is_local: true, item: { id: null, is_local: true } })
    expect(page.items[7]?.item).toMatchObject({ name: 'Hum', is_playable: false })
    const whole = (await get(`/v1/playlists/${id}`)).body
    expect(whole.items.items).toEqual(page.items)
    expect((await get(`/v1/playlists/${id}/tracks`)).status).toBe(404)
  })

  it('pages through a long playlist', async () => {
    const { id } = (await ownPlaylists())[3]
    const last = (await get(`/v1/playlists/${id}/items?limit=50&offset=100`)).body
    expect(last).toMatchObject({ total: 120, next: null, previous: expect.stringContaining('offset=50') })
    expect(last.items).toHaveLength(20)
  })

  it('withholds the entries of others, with 403 or without the field', async () => {
    const path = `/v1/playlists/${foreignPlaylist.id}`
    expect((await get(path)).status).toBe(403)
    expect((await get(`${path}/items`)).status).toBe(403)
    double.control.webApi.foreignPlaylists = 'without-items'
    const whole = await get(path)
    expect(whole.body.name).toBe("Somebody's Mix")
    expect(whole.body).not.toHaveProperty('items')
    expect((await get(`${path}/items`)).body).not.toHaveProperty('items')
    double.control.webApi.foreignPlaylists = 'forbidden'
  })

  it('has the old names when told to', async () => {
    double.control.webApi.usesOldFieldNames = true
    const [first] = await ownPlaylists()
    expect(first).toMatchObject({ tracks: { total: 8 } })
    expect(first).not.toHaveProperty('items')
    const entries = (await get(`/v1/playlists/${first.id}/tracks`)).body.items
    expect(entries[0].track.name).toBe('Harbour Lights')
    expect(entries[0]).not.toHaveProperty('item')
    double.control.webApi.usesOldFieldNames = false
  })
})

describe('faults', () => {
  it('answers a rate limit and a used-up quota, each as often as told', async () => {
    double.control.fail('GET /v1/search', rateLimited(17), 1)
    double.control.fail('/v1/search', quotaExceeded(), 1)
    const limited = await get('/v1/search?type=track&q=e')
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '17'])
    const exceeded = await get('/v1/search?type=track&q=e')
    expect(exceeded.body.error.reason).toBe('QUOTA_EXCEEDED')
    expect(exceeded.headers.get('retry-after')).toBe('46800')
    expect((await get('/v1/search?type=track&q=e')).status).toBe(200)
  })

  it('answers an error, garbage, late, or not at all', async () => {
    double.control.fail('/v1/me', serverError, 1)
    expect((await get('/v1/me')).status).toBe(500)
    double.control.fail('/v1/me', garbage, 1)
    await expect(get('/v1/me')).rejects.toThrow('JSON')
    double.control.fail('/v1/me', { hangUp: true }, 1)
    await expect(get('/v1/me')).rejects.toThrow('fetch failed')
    double.control.fail('/v1/me', { delayMs: 60 }, 1)
    const startedAt = performance.now()
    expect((await get('/v1/me')).status).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55)
  })

  it('records every call', async () => {
    double.calls.length = 0
    await get('/v1/search?type=track&q=recorded')
    expect(double.calls).toMatchObject([
      {
        method: 'GET',
        path: '/v1/search',
        query: { q: 'recorded' },
        headers: { authorization: `Bearer ${token}` },
      },
    ])
  })
})
