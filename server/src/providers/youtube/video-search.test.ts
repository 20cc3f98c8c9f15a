import { createHash } from 'node:crypto'
import { apiFaults } from '@earshot/provider-doubles/youtube/api-server'
import { defaultApiKey } from '@earshot/provider-doubles/youtube/youtube-double'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it } from 'vitest'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import { type TestApp, type TestUser, signUp } from '../../../test/apps.ts'
import { freezeWindows } from '../../../test/rate-windows.ts'
import { apiPath, callsAs, startDouble, startYoutubeApp } from './testing/youtube-app.ts'

const hourMs = 3_600_000

describe('searching YouTube', () => {
  it('7.14a, 9.1b sends one search of 20 and one request for all details', async () => {
    const { app, ann, callsOf } = await startYoutubeApp()
    const found = await callsAs(app, ann).search('Piano study')
    expect(found.tracks).toHaveLength(20)
    expect([found.total, found.nextOffset]).toEqual([20, null])
    expect(callsOf('search').map(({ query }) => query)).toEqual([
      expect.objectContaining({ type: 'video', q: 'Piano study', maxResults: '20', videoEmbeddable: 'true' }),
    ])
    expect(callsOf('videos')).toHaveLength(1)
    expect(callsOf('videos')[0]?.query['id']?.split(',')).toHaveLength(20)
  })

  it('9.2 a result has its real duration, an unescaped title, and is stored', async () => {
    const { app, ann } = await startYoutubeApp()
    const { tracks } = await callsAs(app, ann).search('rock')
    const track = {
      id: 'youtube:rock-n-roll',
      title: `Rock & Roll "Ain't" <Dead>`,
      artist: 'Tom & Jerry',
      duration: 180_000,
      duration_unknown: false,
      source: 'youtube',
      url: 'https://www.youtube.com/watch?v=rock-n-roll',
    }
    expect(tracks).toEqual([expect.objectContaining(track)])
    expect(await app.call(ann, 'GET', '/api/tracks/youtube:rock-n-roll')).toMatchObject({ track })
    const harbour = await callsAs(app, ann).search('harbour')
    expect(harbour.tracks.map(({ duration }) => duration)).toEqual([214_000, 251_000])
  })

  it('9.2 without details a duration is unknown, until the next search reads them', async () => {
    const { app, ann, double, callsOf } = await startYoutubeApp()
    double.control.faults.add(`${apiPath}/videos`, apiFaults.serverError, 1)
    const [first] = (await callsAs(app, ann).search('soup')).tracks
    expect(first).toMatchObject({ title: 'Soup', duration: 180_000, duration_unknown: true })
    double.control.catalogue.put({ id: 'cooking_001', durationMs: 99_000 })
    expect((await callsAs(app, ann).search('soup')).tracks[0]).toMatchObject({ duration: 99_000 })
    expect(callsOf('search')).toHaveLength(1)
  })

  it('7.14a lists only what can be played in a room', async () => {
    const { app, ann, double } = await startYoutubeApp()
    // YouTube finds what its details then exclude.
    for (const [index, change] of [
      { isAgeRestricted: true },
      { isLive: true },
      { isEmbeddable: false },
      { privacy: 'private' as const },
      {},
    ].entries()) {
      double.control.catalogue.put({ id: `candidate-${index}`, title: 'Candidate' })
      if (index < 4) double.control.catalogue.put({ id: `candidate-${index}`, ...change })
    }
    const hits = [0, 1, 2, 3, 4].map((index) => ({
      id: { kind: 'youtube#video', videoId: `candidate-${index}` },
      snippet: { title: 'Candidate' },
    }))
    const odd = [null, {}, { id: { kind: 'youtube#channel', channelId: 'x' } }, { id: { videoId: 7 } }]
    const body = { items: [...odd, ...hits], surprise: true }
    double.control.faults.add(`${apiPath}/search`, { status: 200, body }, 1)
    const { tracks, total } = await callsAs(app, ann).search('candidate')
    expect(tracks.map(({ id }) => id)).toEqual(['youtube:candidate-4'])
    expect(total).toBe(1)
  })

  it('7.14b is the same search in any case, width and spacing, and for every user', async () => {
    const { app, ann, callsOf } = await startYoutubeApp()
    const bob = await signUp(app, 'bob')
    const first = await callsAs(app, ann).search('harbour lights')
    for (const query of ['  HARBOUR   Lights ', 'ｈａｒｂｏｕｒ　lights']) {
      expect(await callsAs(app, bob).search(query)).toEqual(first)
    }
    expect(callsOf('search')).toHaveLength(1)
  })

  it('7.14b searches once for identical requests under way, and remembers that nothing was found', async () => {
    const { app, ann, double, callsOf } = await startYoutubeApp()
    double.control.faults.add(`${apiPath}/search`, { delayMs: 100 })
    const calls = callsAs(app, ann)
    const answers = await Promise.all(Array.from({ length: 5 }, () => calls.search('no such thing')))
    for (const answer of answers) expect(answer).toEqual({ tracks: [], total: 0, nextOffset: null })
    await calls.search('no such thing')
    expect(callsOf('search')).toHaveLength(1)
  })

  it('7.14b keeps an answer for a day', async () => {
    const clock = createFakeClock(Date.now())
    const { app, ann, callsOf } = await startYoutubeApp({ clock })
    const { search } = callsAs(app, ann)
    await search('harbour')
    clock.advance(23 * hourMs)
    await search('harbour')
    expect(callsOf('search')).toHaveLength(1)
    clock.advance(2 * hourMs)
    await search('harbour')
    expect(callsOf('search')).toHaveLength(2)
  })

  it('has one page: a second one would be a second search', async () => {
    const { app, ann, callsOf } = await startYoutubeApp()
    const { search } = callsAs(app, ann)
    expect(await search('piano', 18)).toMatchObject({ total: 20, nextOffset: null })
    expect(await search('piano', 20)).toMatchObject({ tracks: [], total: 20, nextOffset: null })
    expect(callsOf('search')).toHaveLength(1)
  })

  it('8.4b finds nothing without a key, and says how to get one', async () => {
    const { app, ann, double } = await startYoutubeApp({ key: null })
    expect(await callsAs(app, ann).search('piano')).toEqual({ tracks: [], total: 0, nextOffset: null })
    expect(double.calls).toEqual([])
    const { sources } = await app.call<{ sources: { source: string }[] }>(ann, 'GET', '/api/sources')
    expect(sources.find(({ source }) => source === 'youtube')).toMatchObject({
      available: true,
      canSearch: false,
      reason: expect.stringContaining('YOUTUBE_API_KEY') as string,
    })
  })
})

describe('the limit of YouTube searches', () => {
  const start = async (nowIso = '2026-07-15T12:00:00Z') => {
    const clock = createFakeClock(Date.parse(nowIso))
    const double = await startDouble({ now: () => clock.now() })
    return { clock, ...(await startYoutubeApp({ clock, double })) }
  }
  const searchPause = async (app: TestApp, user: TestUser): Promise<unknown> => {
    const { sources } = await app.call<{ sources: SourceStatus[] }>(user, 'GET', '/api/sources')
    return sources.find(({ source }) => source === 'youtube')?.searchPausedUntil
  }
  const used = (count: number) => ({ quota: { used: count, limit: 100 } })

  it('7.14b is counted per key and day, and the meter shows it', async () => {
    const { app, ann, clock } = await start()
    const { search, connection } = callsAs(app, ann)
    await search('harbour')
    await search('piano')
    expect(await connection()).toMatchObject(used(2))
    expect((await connection()).quota?.resetsAt).toBe(Date.parse('2026-07-16T07:00:00Z'))
    clock.advance(19 * hourMs)
    expect(await connection()).toMatchObject(used(0))
  })

  it('7.14b YouTube’s refusal pauses searches until its day ends; stored answers and links still work', async () => {
    const { app, ann, clock, double, callsOf } = await start()
    const { search, connection, resolve } = callsAs(app, ann)
    await search('harbour')
    double.control.setQuota({ searchesPerDay: 1 })
    const resetsAt = Date.parse('2026-07-16T07:00:00Z')
    const refusal = {
      code: 'provider_limit',
      message: "Today's YouTube searches are used up. Pasted links still work",
      details: { retryAfterMs: resetsAt - clock.now() },
    }
    await expect(search('piano')).rejects.toMatchObject(refusal)
    expect(await connection()).toMatchObject(used(100))
    // Now refused here, without a request.
    await expect(search('soup')).rejects.toMatchObject(refusal)
    expect(callsOf('search')).toHaveLength(2)
    const { sources } = await app.call<{ sources: object[] }>(null, 'GET', '/api/sources')
    expect(sources).toContainEqual(
      expect.objectContaining({ source: 'youtube', searchPausedUntil: resetsAt }),
    )
    expect((await search('HARBOUR')).tracks).toHaveLength(2)
    expect(await resolve('https://youtu.be/cooking_001')).toMatchObject({ kind: 'track' })

    clock.advance(19 * hourMs)
    double.control.resetQuota()
    expect((await search('soup')).tracks).toHaveLength(1)
  })

  it('7.14b a 403 for the general quota pauses searches too', async () => {
    const { app, ann, double } = await start()
    double.control.faults.add(`${apiPath}/search`, apiFaults.quotaExceeded, 1)
    await expect(callsAs(app, ann).search('piano')).rejects.toMatchObject({ code: 'provider_limit' })
    await expect(callsAs(app, ann).search('piano')).rejects.toMatchObject({ code: 'provider_limit' })
  })

  it('7.14b our own count refuses before YouTube does, once for all processes', async () => {
    const { app, ann, callsOf } = await start()
    const { search } = callsAs(app, ann)
    await search('harbour')
    const keyId = createHash('sha256').update(defaultApiKey).digest('base64url').slice(0, 22)
    await app.db.updateTable('youtube_quota').set({ used: 98 }).where('key_id', '=', keyId).execute()
    const answers = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((query) => search(query)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(callsOf('search')).toHaveLength(3)
    const rows = await app.db.selectFrom('youtube_quota').selectAll().orderBy('used', 'desc').execute()
    expect(rows[0]).toMatchObject({ key_id: keyId, day: '2026-07-15', used: 100 })
    for (const row of rows) expect(row.key_id).not.toContain(defaultApiKey.slice(0, 8))
  })

  it('15.40 tells a user whose share is used up, and not the others', async () => {
    const { app, ann, callsOf } = await start()
    const bob = await signUp(app, 'bob')
    await callsAs(app, ann).search('harbour')
    await app.db.updateTable('youtube_quota').set({ used: 50 }).execute()
    await expect(callsAs(app, ann).search('piano')).rejects.toMatchObject({
      code: 'provider_limit',
      message: expect.stringContaining('your share'),
    })
    expect(callsOf('search')).toHaveLength(1)
    expect(await searchPause(app, ann)).toBe(Date.parse('2026-07-16T07:00:00Z'))
    expect(await searchPause(app, bob)).toBeNull()
    await callsAs(app, bob).search('piano')
    expect(callsOf('search')).toHaveLength(2)
  })

  it('15.41 bounds how often one user asks, stored answers included', async () => {
    const { app, ann } = await start()
    freezeWindows()
    const attempts = Array.from({ length: 40 }, () => callsAs(app, ann).search('harbour'))
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
    await expect(callsAs(app, ann).search('harbour')).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('7.14b a limit per minute passes after a minute, and days stay as counted', async () => {
    const { app, ann, double } = await start()
    const message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'"
    const body = { error: { code: 429, message, errors: [{ reason: 'rateLimitExceeded' }] } }
    double.control.faults.add(`${apiPath}/search`, { status: 429, body }, 1)
    await expect(callsAs(app, ann).search('piano')).rejects.toMatchObject({
      code: 'provider_limit',
      details: { retryAfterMs: 60_000 },
    })
    expect(await callsAs(app, ann).connection()).toMatchObject(used(1))
    expect((await callsAs(app, ann).search('piano')).tracks).toHaveLength(20)
  })

  it.each([
    ['words alone', 403, { error: { message: 'You have exceeded your <a href="/x">quota</a>.' } }, 100],
    ['its reason', 429, { error: { errors: [{ reason: 'quotaExceeded' }] } }, 100],
    ['no JSON', 429, '<html>Our systems have detected unusual traffic</html>', 1],
    ['no limit named', 429, { error: { errors: [{ reason: 'rateLimitExceeded' }] } }, 1],
  ])('15.45 tells a day that is used up from a busy minute: by %s', async (_, status, body, count) => {
    const { app, ann, double } = await start()
    double.control.faults.add(`${apiPath}/search`, { status, body }, 1)
    await expect(callsAs(app, ann).search('piano')).rejects.toMatchObject({ code: 'provider_limit' })
    expect(await callsAs(app, ann).connection()).toMatchObject(used(count))
  })

  it('an own key is not affected by the server’s limit', async () => {
    const { app, ann, double } = await start()
    const bob = await signUp(app, 'bob')
    double.control.setKey('AIzaTheKeyOfBob', 'valid')
    await callsAs(app, bob).connect('AIzaTheKeyOfBob')
    double.control.faults.add(`${apiPath}/search`, apiFaults.searchQuotaExceeded, 1)
    await expect(callsAs(app, ann).search('piano')).rejects.toMatchObject({ code: 'provider_limit' })
    expect((await callsAs(app, bob).search('piano')).tracks).toHaveLength(20)
  })

  it.each([
    ['a server error', apiFaults.serverError],
    ['no answer', { hangUp: true }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['a list', { status: 200, body: [] }],
  ])('%s is a failure of the provider, and older answers help out', async (_, fault) => {
    const { app, ann, clock, double } = await start()
    const { search } = callsAs(app, ann)
    await search('harbour')
    clock.advance(48 * hourMs)
    double.control.faults.add(apiPath, fault)
    await expect(search('piano')).rejects.toMatchObject({ code: 'provider_failed' })
    expect((await search('harbour')).tracks).toHaveLength(2)
  })
})
