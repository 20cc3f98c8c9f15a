import { apiFaults } from '@earshot/provider-doubles/youtube/api-server'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it } from 'vitest'
import { apiPath, callsAs, startYoutubeApp } from './testing/youtube-app.ts'

const harbour = {
  id: 'youtube:harbour0001',
  title: 'Harbour Lights (Official Video)',
  artist: 'Double Records',
  source: 'youtube',
}

describe('a pasted YouTube video', () => {
  it('7.14b is found by its id, without a search, and stored', async () => {
    const { app, ann, callsOf } = await startYoutubeApp()
    const target = await callsAs(app, ann).resolve(
      ' www.youtube.com/watch?v=harbour0001&t=3&list=PLsample0001 ',
    )
    const track = {
      ...harbour,
      duration: 214_000,
      albumArt: expect.stringContaining('harbour0001') as string,
    }
    expect(target).toEqual({ kind: 'track', track: expect.objectContaining(track) as object })
    expect(callsOf('search')).toEqual([])
    expect(callsOf('videos').map(({ query }) => query['id'])).toEqual(['harbour0001'])
    expect(await app.call(ann, 'GET', `/api/tracks/${harbour.id}`)).toMatchObject({ track })
  })

  it('7.14b asks YouTube once a day for the same video', async () => {
    const clock = createFakeClock(Date.now())
    const { app, ann, callsOf } = await startYoutubeApp({ clock })
    const { resolve } = callsAs(app, ann)
    for (const link of ['youtu.be/harbour0001', 'https://youtube.com/shorts/harbour0001']) await resolve(link)
    expect(callsOf('videos')).toHaveLength(1)
    clock.advance(25 * 3_600_000)
    await resolve('youtu.be/harbour0001')
    expect(callsOf('videos')).toHaveLength(2)
  })

  it('states why it cannot be played in a room', async () => {
    const { app, ann } = await startYoutubeApp()
    for (const [id, restriction] of [
      ['no_embed_01', 'not_embeddable'],
      ['age_limit_1', 'age_restricted'],
      ['live_stream', 'live'],
    ]) {
      const target = await callsAs(app, ann).resolve(`https://youtu.be/${id}`)
      expect(target).toMatchObject({ kind: 'track', track: { restriction } })
    }
  })

  it('is not found if it does not exist or is private', async () => {
    const { app, ann } = await startYoutubeApp()
    for (const id of ['missing_001', 'private_001', 'too-short']) {
      const found = callsAs(app, ann).resolve(`https://youtu.be/${id}`)
      await expect(found).rejects.toMatchObject({ code: 'track_not_found' })
    }
  })

  it('15.45 is not marked as removed by an answer without a list', async () => {
    const { app, ann, double } = await startYoutubeApp()
    double.control.faults.add(`${apiPath}/videos`, { status: 200, body: {} })
    const target = await callsAs(app, ann).resolve('https://youtu.be/harbour0001')
    expect(target).toMatchObject({ kind: 'track', track: { title: harbour.title } })
    expect(target).not.toHaveProperty('track.restriction')
  })

  it('that was removed later is marked', async () => {
    const clock = createFakeClock(Date.now())
    const { app, ann, double } = await startYoutubeApp({ clock })
    const { resolve } = callsAs(app, ann)
    await resolve('youtu.be/harbour0001')
    double.control.catalogue.remove('harbour0001')
    clock.advance(25 * 3_600_000)
    await expect(resolve('youtu.be/harbour0001')).rejects.toMatchObject({ code: 'track_not_found' })
    expect(await app.call(ann, 'GET', `/api/tracks/${harbour.id}`)).toMatchObject({
      track: { restriction: 'removed', title: harbour.title },
    })
  })

  it('9.2 has its title without any key; its duration is unknown', async () => {
    const { app, ann, double, callsOf } = await startYoutubeApp({ key: null })
    const { resolve } = callsAs(app, ann)
    const track = { ...harbour, duration: 180_000, duration_unknown: true }
    expect(await resolve('youtu.be/harbour0001')).toMatchObject({ kind: 'track', track })
    expect(callsOf('videos')).toEqual([])
    expect(double.calls.map(({ query }) => query)).toEqual([
      { format: 'json', url: 'https://www.youtube.com/watch?v=harbour0001' },
    ])
    for (const status of [400, 404] as const) {
      double.control.setOembedMissingStatus(status)
      await expect(resolve('youtu.be/missing_001')).rejects.toMatchObject({ code: 'track_not_found' })
    }
    // YouTube tells only whether it shows a video elsewhere.
    await expect(resolve('youtu.be/no_embed_01')).rejects.toMatchObject({ code: 'track_not_found' })
  })

  it.each([
    ['the quota is used up', apiFaults.quotaExceeded],
    ['the API fails', apiFaults.serverError],
    ['the API does not answer', { hangUp: true }],
  ])('is found without the key while %s, and what was known is kept', async (_, fault) => {
    const clock = createFakeClock(Date.now())
    const { app, ann, double } = await startYoutubeApp({ clock })
    const { resolve } = callsAs(app, ann)
    await resolve('youtu.be/harbour0001')
    await resolve('youtu.be/age_limit_1')
    clock.advance(25 * 3_600_000)
    double.control.faults.add(apiPath, fault)
    expect(await resolve('youtu.be/harbour0001')).toMatchObject({ track: { ...harbour, duration: 214_000 } })
    expect(await resolve('youtu.be/age_limit_1')).toMatchObject({ track: { restriction: 'age_restricted' } })
    expect(await resolve('youtu.be/cooking_001')).toMatchObject({ track: { title: 'Soup' } })
  })

  it('15.109 is marked where YouTube offers it in some countries only, also while it is read without the key', async () => {
    const clock = createFakeClock(Date.now())
    const { app, ann, double } = await startYoutubeApp({ clock })
    const { resolve } = callsAs(app, ann)
    const links = ['youtu.be/blocked_de1', 'youtu.be/allowed_us1']
    for (const link of links) expect(await resolve(link)).toMatchObject({ track: { regional: true } })
    expect(await resolve('youtu.be/harbour0001')).not.toHaveProperty('track.regional')
    clock.advance(25 * 3_600_000)
    double.control.faults.add(apiPath, apiFaults.quotaExceeded)
    for (const link of links) expect(await resolve(link)).toMatchObject({ track: { regional: true } })
    double.control.faults.clear()
    double.control.catalogue.put({ id: 'blocked_de1', regions: null })
    clock.advance(25 * 3_600_000)
    expect(await resolve(links[0]!)).not.toHaveProperty('track.regional')
  })

  it('15.42 a playlist whose part is its own next one ends', async () => {
    const { app, ann, double } = await startYoutubeApp()
    const items = [{ contentDetails: { videoId: 'harbour0001' }, snippet: { title: 'Harbour' } }]
    double.control.faults.add(`${apiPath}/playlistItems`, {
      status: 200,
      body: { items, nextPageToken: 'SAME' },
    })
    const { playlist } = callsAs(app, ann)
    expect((await playlist('PLsomething')).nextCursor).toBe('SAME')
    expect((await playlist('PLsomething', 'SAME')).nextCursor).toBeNull()
  })

  it('fails where YouTube does not answer at all', async () => {
    const { app, ann, double } = await startYoutubeApp()
    double.control.faults.add('/', { hangUp: true })
    await expect(callsAs(app, ann).resolve('youtu.be/harbour0001')).rejects.toMatchObject({
      code: 'provider_failed',
    })
  })
})

describe('a pasted YouTube playlist', () => {
  it('7.14b lists its tracks, and what is skipped with the reason', async () => {
    const { app, ann, callsOf } = await startYoutubeApp()
    const target = await callsAs(app, ann).resolve('https://www.youtube.com/playlist?list=PLsample0001')
    expect(target).toMatchObject({
      kind: 'playlist',
      page: {
        playlist: {
          id: 'PLsample0001',
          source: 'youtube',
          name: 'A short list',
          ownerName: 'Double Records',
          trackCount: 5,
        },
        tracks: [{ id: harbour.id, duration: 214_000 }, { id: 'youtube:rock-n-roll' }],
        skipped: [
          { title: 'Private video', reason: 'It is private or was removed' },
          { title: 'Deleted video', reason: 'It is private or was removed' },
          { title: 'Only on the site', reason: 'It cannot be played outside YouTube' },
        ],
        nextCursor: null,
      },
    })
    expect(callsOf('search')).toEqual([])
    expect(await app.call(ann, 'GET', '/api/tracks/youtube:rock-n-roll')).toMatchObject({ track: {} })
  })

  it('7.14b comes in parts of 50', async () => {
    const { app, ann, callsOf } = await startYoutubeApp()
    const { playlist } = callsAs(app, ann)
    const sizes: number[] = []
    let cursor: string | undefined
    do {
      const page = await playlist('PLsample0120', cursor)
      sizes.push(page.tracks.length)
      expect(page.playlist).toMatchObject({ name: 'Studies, almost twice', trackCount: 120 })
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(sizes).toEqual([50, 50, 20])
    expect(callsOf('videos')).toHaveLength(3)
    expect(await playlist('PLsample0000')).toMatchObject({ tracks: [], skipped: [], nextCursor: null })
  })

  it('is listed without its name where only that cannot be read', async () => {
    const { app, ann, double } = await startYoutubeApp()
    double.control.faults.add(`${apiPath}/playlists`, { status: 404, body: 'Not Found' })
    const page = await callsAs(app, ann).playlist('PLsample0001')
    expect(page.playlist).toMatchObject({ name: 'YouTube playlist', trackCount: 5 })
    expect(page.tracks).toHaveLength(2)
  })

  it('fails clearly: missing, without a key, with a wrong cursor, over the limit', async () => {
    const { app, ann, double } = await startYoutubeApp()
    const { playlist, resolve } = callsAs(app, ann)
    await expect(playlist('PLmissing')).rejects.toMatchObject({
      code: 'not_found',
      message: 'This playlist does not exist, or it is private',
    })
    const reason = 'playlistItemsNotAccessible'
    const body = { error: { code: 403, message: 'Not allowed', errors: [{ reason }] } }
    double.control.faults.add(`${apiPath}/playlistItems`, { status: 403, body }, 1)
    await expect(playlist('PLsample0001')).rejects.toMatchObject({ code: 'not_found' })
    await expect(playlist('PLsample0001', 'forged')).rejects.toMatchObject({ code: 'invalid_input' })
    double.control.faults.add(apiPath, apiFaults.quotaExceeded)
    await expect(resolve('youtube.com/playlist?list=PLsample0001')).rejects.toMatchObject({
      code: 'provider_limit',
      message: expect.stringContaining('single videos') as string,
    })
    const keyless = await startYoutubeApp({ key: null })
    await expect(callsAs(keyless.app, keyless.ann).playlist('PLsample0001')).rejects.toMatchObject({
      code: 'not_connected',
      message: expect.stringContaining('your profile') as string,
    })
    await expect(app.call(ann, 'GET', '/api/playlists/library/x')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('other pasted texts', () => {
  it('lead nowhere and are never requested where they are of no video', async () => {
    const { app, ann, double } = await startYoutubeApp()
    for (const url of [
      'https://evil.example/watch?v=harbour0001',
      'https://youtube.com@evil.example/watch?v=harbour0001',
      'http://127.0.0.1:1/watch?v=harbour0001',
      'https://www.youtube.com/@channel',
      'just words',
    ]) {
      await expect(callsAs(app, ann).resolve(url)).rejects.toMatchObject({ code: 'link_not_supported' })
    }
    expect(double.calls).toEqual([])
  })

  it('explain that a mix cannot be added', async () => {
    const { app, ann } = await startYoutubeApp()
    const mix = callsAs(app, ann).resolve('https://www.youtube.com/playlist?list=RDharbour0001')
    await expect(mix).rejects.toMatchObject({
      code: 'link_not_supported',
      message: expect.stringContaining('mixes') as string,
    })
  })

  it('need a session, and are limited per user', async () => {
    const { app, ann } = await startYoutubeApp()
    const url = 'youtu.be/harbour0001'
    await expect(app.call(null, 'POST', '/api/links', { url })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    for (let request = 0; request < 60; request++) await callsAs(app, ann).resolve(url)
    await expect(callsAs(app, ann).resolve(url)).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
