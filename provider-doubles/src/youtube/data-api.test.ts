import type { youtube_v3 } from '@googleapis/youtube'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { garbage } from '../faults.ts'
import type { GoogleErrorBody } from './api-errors.ts'
import { apiFaults } from './api-server.ts'
import { toPrefixedId } from './prefixed-ids.ts'
import { defaultApiKey, startYoutubeDouble, type YoutubeDouble } from './youtube-double.ts'

let double: YoutubeDouble

beforeAll(async () => {
  double = await startYoutubeDouble({ quota: { searchesPerDay: 3 } })
})
afterAll(() => double.close())
beforeEach(() => {
  double.control.faults.clear()
  double.control.resetQuota()
})

async function get<Body>(method: string, query: Record<string, string>, key: string | null = defaultApiKey) {
  const params = new URLSearchParams({ ...query, ...(key === null ? {} : { key }) })
  const response = await fetch(`${double.apiUrl}/${method}?${params}`)
  return { status: response.status, body: (await response.json()) as Body }
}

const getVideos = (query: Record<string, string>) => get<youtube_v3.Schema$VideoListResponse>('videos', query)
const getSearch = (query: Record<string, string>) =>
  get<youtube_v3.Schema$SearchListResponse>('search', { part: 'snippet', type: 'video', ...query })
const getItems = (query: Record<string, string>) =>
  get<youtube_v3.Schema$PlaylistItemListResponse>('playlistItems', {
    part: 'snippet,contentDetails,status',
    ...query,
  })

async function refusal(method: string, query: Record<string, string>, key?: string | null) {
  const { status, body } = await get<GoogleErrorBody>(method, query, key)
  return { status, reason: body.error.errors[0]?.reason, body }
}

describe('videos', () => {
  it('answers the chart in pages', async () => {
    const { status, body } = await getVideos({ part: 'snippet', chart: 'mostPopular', maxResults: '3' })
    expect(status).toBe(200)
    expect(body.items).toHaveLength(3)
    expect(body.nextPageToken).toBeTypeOf('string')
    expect(body.items?.[0]).not.toHaveProperty('contentDetails')
  })

  it('leaves unknown, deleted and private ids out, in the order asked for', async () => {
    const id = ['short_clip1', 'unknown_001', 'private_001', 'harbour0001', 'short_clip1'].join()
    const { body } = await getVideos({ part: 'snippet,contentDetails,status', id })
    expect(body.items?.map((item) => item.id)).toEqual(['short_clip1', 'harbour0001'])
    expect(body.pageInfo?.totalResults).toBe(2)
  })

  it('tells durations, regions, age limits, embedding and live streams', async () => {
    const id = 'harbour0001,live_stream,blocked_de1,allowed_us1,age_limit_1,no_embed_01,long_mix_01'
    const { body } = await getVideos({ part: 'contentDetails,status', id })
    const details = body.items?.map((item) => item.contentDetails)
    expect(details?.map((detail) => detail?.duration)).toEqual([
      'PT3M34S',
      'P0D',
      'PT3M',
      'PT3M',
      'PT3M',
      'PT3M',
      'PT10H1M1S',
    ])
    expect(details?.[2]?.regionRestriction).toEqual({ blocked: ['DE', 'AT'] })
    expect(details?.[3]?.regionRestriction).toEqual({ allowed: ['US'] })
    expect(details?.[4]?.contentRating).toEqual({ ytRating: 'ytAgeRestricted' })
    expect(body.items?.[5]?.status?.embeddable).toBe(false)
  })

  it('refuses more than 50 ids, no filter, no part, unknown parts and unknown parameters', async () => {
    const many = Array.from({ length: 51 }, (_, index) => toPrefixedId('OK_', index)).join()
    expect(await refusal('videos', { part: 'id', id: many })).toMatchObject({ status: 400 })
    expect(await refusal('videos', { part: 'id' })).toMatchObject({ reason: 'missingRequiredParameter' })
    expect(await refusal('videos', { id: 'harbour0001' })).toMatchObject({ reason: 'required' })
    expect(await refusal('videos', { part: 'lyrics', id: 'a' })).toMatchObject({ reason: 'unknownPart' })
    expect(await refusal('videos', { part: 'id', ids: 'a' })).toMatchObject({ status: 400 })
  })

  it('knows the videos that their ids describe', async () => {
    const ids = [toPrefixedId('AD_'), toPrefixedId('E150_'), toPrefixedId('E100_'), toPrefixedId('SHORT_')]
    const { body } = await getVideos({ part: 'contentDetails,status', id: ids.join() })
    expect(body.items?.map((item) => [item.id, item.status?.embeddable])).toEqual([
      ['AD_00000001', true],
      ['E150_000001', false],
      ['SHORT_00001', true],
    ])
  })
})

describe('search', () => {
  it('returns five unless asked for more, and at most 50', async () => {
    expect((await getSearch({ q: 'piano' })).body.items).toHaveLength(5)
    expect((await getSearch({ q: 'piano', maxResults: '50' })).body.items).toHaveLength(50)
    expect(await refusal('search', { part: 'snippet', maxResults: '51' })).toMatchObject({ status: 400 })
  })

  it('goes through pages without repeating a video', async () => {
    const first = (await getSearch({ q: 'piano', maxResults: '50' })).body
    const second = (await getSearch({ q: 'piano', maxResults: '50', pageToken: first.nextPageToken ?? '' }))
      .body
    const ids = [...(first.items ?? []), ...(second.items ?? [])].map((item) => item.id?.videoId)
    expect(new Set(ids).size).toBe(70)
    expect(second.nextPageToken).toBeUndefined()
    expect(await refusal('search', { part: 'snippet', pageToken: 'x' })).toMatchObject({
      reason: 'invalidPageToken',
    })
  })

  it('escapes titles, which videos does not', async () => {
    const { body } = await getSearch({ q: 'rock' })
    expect(body.items?.[0]?.snippet).toMatchObject({
      title: 'Rock &amp; Roll &quot;Ain&#39;t&quot; &lt;Dead&gt;',
      channelTitle: 'Tom &amp; Jerry',
    })
    const videos = (await getVideos({ part: 'snippet', id: 'rock-n-roll' })).body
    expect(videos.items?.[0]?.snippet?.title).toBe(`Rock & Roll "Ain't" <Dead>`)
  })

  it('keeps videos that cannot be embedded unless the filter excludes them', async () => {
    expect((await getSearch({ q: 'only on the site' })).body.items).toHaveLength(1)
    expect((await getSearch({ q: 'only on the site', videoEmbeddable: 'true' })).body.items).toEqual([])
    expect(await refusal('search', { part: 'snippet', videoEmbeddable: 'true' })).toMatchObject({
      reason: 'invalidSearchFilter',
    })
  })
})

describe('playlists', () => {
  it('lists 50 entries a page, the same video more than once', async () => {
    const sizes: number[] = []
    let pageToken: string | null | undefined = null
    do {
      const query: Record<string, string> = { playlistId: 'PLsample0120', maxResults: '50' }
      const { body } = await getItems(pageToken ? { ...query, pageToken } : query)
      sizes.push(body.items?.length ?? 0)
      pageToken = body.nextPageToken
    } while (pageToken)
    expect(sizes).toEqual([50, 50, 20])
  })

  it('lists deleted and private videos without their details', async () => {
    const { body } = await getItems({ playlistId: 'PLsample0001', maxResults: '50' })
    expect(body.items?.map((item) => [item.snippet?.title, item.status?.privacyStatus])).toEqual([
      ['Harbour Lights (Official Video)', 'public'],
      ['Private video', 'private'],
      ['Deleted video', 'privacyStatusUnspecified'],
      ['Only on the site', 'public'],
      [`Rock & Roll "Ain't" <Dead>`, 'public'],
    ])
    expect(body.items?.[1]?.snippet?.thumbnails).toEqual({})
    expect(body.items?.[1]?.contentDetails).toEqual({ videoId: 'private_001' })
  })

  it('answers 404 for an unknown playlist, and an empty list from playlists', async () => {
    expect(await refusal('playlistItems', { part: 'snippet', playlistId: 'PLnone' })).toMatchObject({
      status: 404,
      reason: 'playlistNotFound',
    })
    const query = { part: 'snippet,contentDetails', id: 'PLnone,PLsample0120' }
    const { body } = await get<youtube_v3.Schema$PlaylistListResponse>('playlists', query)
    expect(body.items?.map((item) => item.contentDetails?.itemCount)).toEqual([120])
  })
})

describe('keys and quotas', () => {
  const chart = { part: 'snippet', chart: 'mostPopular' }

  it('refuses a bad key with 400 and Google’s body, and a missing one with 403', async () => {
    const bad = await refusal('videos', chart, 'wrong')
    expect(bad.status).toBe(400)
    expect(bad.body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'API key not valid. Please pass a valid API key.',
      details: [{ reason: 'API_KEY_INVALID' }, {}],
    })
    expect(await refusal('videos', chart, null)).toMatchObject({ status: 403, reason: 'forbidden' })
  })

  it('takes the key in a header', async () => {
    const headers = { 'x-goog-api-key': defaultApiKey }
    expect((await fetch(`${double.apiUrl}/videos?part=id&chart=mostPopular`, { headers })).status).toBe(200)
  })

  it('refuses keys without the API, and keys that are for web pages only', async () => {
    double.control.setKey('other', 'not_enabled')
    expect(await refusal('videos', chart, 'other')).toMatchObject({ reason: 'accessNotConfigured' })
    double.control.setKey('other', 'referrer_only')
    expect(await refusal('videos', chart, 'other')).toMatchObject({ status: 403 })
    double.control.setKey('other', null)
    expect(await refusal('videos', chart, 'other')).toMatchObject({ status: 400 })
  })

  it('answers 429 to searches over the limit, pages and invalid ones counted, and goes on answering videos', async () => {
    await getSearch({ q: 'piano' })
    await refusal('search', { part: 'snippet', maxResults: '51' })
    await getSearch({ q: 'piano', maxResults: '0' })
    const refused = await refusal('search', { part: 'snippet', type: 'video', q: 'piano' })
    expect(refused).toMatchObject({ status: 429, reason: 'rateLimitExceeded' })
    expect(refused.body.error.message).toContain("'Search Queries per day'")
    expect(double.control.quotaOf(defaultApiKey).searches).toBe(3)
    expect((await getVideos(chart)).status).toBe(200)
  })

  it('answers 403 to other calls over their limit, until midnight in California', async () => {
    let now = Date.parse('2026-11-22T07:59:00Z')
    const other = await startYoutubeDouble({ quota: { unitsPerDay: 1 }, now: () => now })
    const url = `${other.apiUrl}/videos?part=id&chart=mostPopular&key=${defaultApiKey}`
    expect((await fetch(url)).status).toBe(200)
    const refused = await fetch(url)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: { errors: [{ reason: 'quotaExceeded' }] } })
    now += 120_000
    expect((await fetch(url)).status).toBe(200)
    await other.close()
  })
})

describe('oEmbed', () => {
  const lookUp = async (url: string) => {
    const response = await fetch(`${double.oembedUrl}?format=json&url=${encodeURIComponent(url)}`)
    return { status: response.status, text: await response.text() }
  }

  it('tells the title of a video without a key', async () => {
    for (const url of [
      'https://www.youtube.com/watch?v=harbour0001',
      'https://youtu.be/harbour0001?t=3',
      'https://music.youtube.com/watch?v=harbour0001',
      'https://www.youtube.com/shorts/harbour0001',
    ]) {
      const { status, text } = await lookUp(url)
      expect(status).toBe(200)
      expect(JSON.parse(text)).toMatchObject({
        title: 'Harbour Lights (Official Video)',
        author_name: 'Double Records',
      })
    }
  })

  it('refuses bad ids with 400 or 404, and the addresses of frames', async () => {
    expect((await lookUp('https://www.youtube.com/watch?v=bad')).status).toBe(400)
    expect((await lookUp('https://www.youtube.com/watch?v=unknown_001')).status).toBe(404)
    double.control.setOembedMissingStatus(400)
    expect(await lookUp('https://www.youtube.com/watch?v=unknown_001')).toEqual({
      status: 400,
      text: 'Bad Request',
    })
    expect((await lookUp('https://www.youtube.com/embed/harbour0001')).status).toBe(404)
    expect((await lookUp('https://www.youtube-nocookie.com/embed/harbour0001')).status).toBe(404)
    expect((await lookUp('https://www.youtube.com/watch?v=private_001')).status).toBe(401)
  })
})

describe('faults', () => {
  const url = () => `${double.apiUrl}/videos?part=id&chart=mostPopular&key=${defaultApiKey}`
  const path = '/youtube/v3/videos'

  it('are answers of 500, garbage and quota errors', async () => {
    const { faults } = double.control
    faults.add(path, apiFaults.serverError, 1)
    faults.add(path, garbage, 1)
    faults.add(path, apiFaults.searchQuotaExceeded, 1)
    faults.add(path, apiFaults.quotaExceeded, 1)
    expect((await fetch(url())).status).toBe(500)
    await expect((await fetch(url())).json()).rejects.toBeInstanceOf(SyntaxError)
    expect((await fetch(url())).status).toBe(429)
    expect((await fetch(url())).status).toBe(403)
    expect((await fetch(url())).status).toBe(200)
  })

  it('are late answers, and connections that end', async () => {
    double.control.faults.add(path, { delayMs: 600_000 }, 1)
    double.control.faults.add(path, { hangUp: true }, 1)
    const earlier = double.calls.length
    const leaving = new AbortController()
    const late = fetch(url(), { signal: leaving.signal })
    await expect.poll(() => double.calls.length).toBe(earlier + 1)
    await expect(fetch(url())).rejects.toBeInstanceOf(TypeError)
    leaving.abort()
    await expect(late).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('are recorded like every call', async () => {
    await fetch(url())
    expect(double.calls.at(-1)).toMatchObject({ method: 'GET', path, query: { chart: 'mostPopular' } })
  })
})
