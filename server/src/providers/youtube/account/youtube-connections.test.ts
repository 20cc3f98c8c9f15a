import { defaultApiKey } from '@earshot/provider-doubles/youtube/youtube-double'
import { apiFaults } from '@earshot/provider-doubles/youtube/api-server'
import { garbage } from '@earshot/provider-doubles/faults'
import { describe, expect, it } from 'vitest'
import { captureLog } from '../../../../test/log.ts'
import { signUp } from '../../../../test/apps.ts'
import { apiPath, callsAs, startYoutubeApp } from '../testing/youtube-app.ts'

const ownKey = 'AIzaTheKeyOfAnn00000000000000000000001'
const profileOf = (row: { profile: { youtube_connected: boolean } }) => row.profile.youtube_connected

describe('connecting YouTube', () => {
  it("7.13, 7.14a, 7.7c validates the server's key without a search and shows five samples", async () => {
    const { app, ann, callsOf } = await startYoutubeApp()
    const result = await callsAs(app, ann).connect()
    expect(result).toMatchObject({ success: true })
    expect(callsOf('videos').map(({ query }) => [query['chart'], query['maxResults']])).toEqual([
      ['mostPopular', '1'],
      ['mostPopular', '5'],
    ])
    expect(callsOf('search')).toEqual([])
    expect(profileOf(await app.call(ann, 'GET', '/api/profile'))).toBe(true)
  })

  it('3.10 a sample has id, title, thumbnail and channelTitle', async () => {
    const { app, ann } = await startYoutubeApp()
    const result = await callsAs(app, ann).connect()
    const results = result.success ? result.results : []
    expect(results).toHaveLength(5)
    expect(results[0]).toEqual({
      id: 'harbour0001',
      title: 'Harbour Lights (Official Video)',
      thumbnail: expect.stringMatching(/^https:\/\/i\.ytimg\.com\/vi\/harbour0001\//),
      channelTitle: 'Double Records',
    })
  })

  it("3.12b states whether it is connected, by whose key, and the key's searches", async () => {
    const { app, ann } = await startYoutubeApp()
    const calls = callsAs(app, ann)
    const quota = { used: 0, limit: 100, resetsAt: expect.any(Number) as number }
    const before = { isConnected: false, hasOwnKey: false, hasServerKey: true, quota }
    expect(await calls.connection()).toEqual(before)
    await calls.connect()
    expect(await calls.connection()).toEqual({ ...before, isConnected: true })
    expect(await calls.disconnect()).toEqual(before)
    expect(profileOf(await app.call(ann, 'GET', '/api/profile'))).toBe(false)
  })

  it("a user's own key is encrypted, used for that user only, and forgotten", async () => {
    const { app, ann, double, callsOf } = await startYoutubeApp()
    double.control.setKey(ownKey, 'valid')
    const bob = await signUp(app, 'bob')
    expect(await callsAs(app, ann).connect(ownKey)).toMatchObject({ success: true })
    expect(await callsAs(app, ann).connection()).toMatchObject({ isConnected: true, hasOwnKey: true })
    const row = await app.db.selectFrom('profiles').select('youtube_key').where('id', '=', ann.id).execute()
    expect(row[0]?.youtube_key).toMatch(/^v1\./)
    expect(row[0]?.youtube_key).not.toContain(ownKey)

    await callsAs(app, ann).search('harbour')
    await callsAs(app, bob).search('piano')
    expect(callsOf('search').map(({ query }) => query['key'])).toEqual([ownKey, defaultApiKey])
    expect(await callsAs(app, ann).connection()).toMatchObject({ quota: { used: 1 } })

    expect(await callsAs(app, ann).disconnect()).toMatchObject({ isConnected: false, hasOwnKey: false })
    await callsAs(app, ann).search('soup')
    expect(callsOf('search').at(-1)?.query['key']).toBe(defaultApiKey)
  })

  it('8.8 a key that is not valid fails with YouTube’s status and reason, and replaces no other', async () => {
    const { app, ann, double } = await startYoutubeApp()
    double.control.setKey(ownKey, 'valid')
    await callsAs(app, ann).connect(ownKey)
    expect(await callsAs(app, ann).connect('AIzaWrong')).toEqual({
      success: false,
      error: 'Invalid API key',
      status: 400,
      details: 'API key not valid. Please pass a valid API key.',
    })
    expect(await callsAs(app, ann).connection()).toMatchObject({ isConnected: true, hasOwnKey: true })
    double.control.setKey(ownKey, 'not_enabled')
    expect(await callsAs(app, ann).connect()).toMatchObject({ error: 'Invalid API key', status: 403 })
  })

  it('8.8 failing samples, and a provider that is down, are told apart from an invalid key', async () => {
    const { app, ann, double } = await startYoutubeApp()
    const { faults } = double.control
    const text = 'Failed to fetch sample data'
    // The first request validates the key.
    faults.add(`${apiPath}/videos`, { delayMs: 1 }, 1)
    faults.add(`${apiPath}/videos`, apiFaults.serverError, 1)
    expect(await callsAs(app, ann).connect()).toMatchObject({ success: false, error: text, status: 500 })
    faults.add(`${apiPath}/videos`, { hangUp: true }, 1)
    expect(await callsAs(app, ann).connect()).toMatchObject({ success: false, error: text, status: null })
    faults.add(`${apiPath}/videos`, apiFaults.quotaExceeded, 1)
    expect(await callsAs(app, ann).connect()).toMatchObject({ success: false, error: text, status: 403 })
    faults.add(`${apiPath}/videos`, garbage, 1)
    expect(await callsAs(app, ann).connect()).toMatchObject({ success: false })
    expect(await callsAs(app, ann).connection()).toMatchObject({ isConnected: false })
  })

  it('8.8 a profile that cannot be updated fails', async () => {
    const { app, ann } = await startYoutubeApp()
    await app.db.deleteFrom('profiles').where('id', '=', ann.id).execute()
    expect(await callsAs(app, ann).connect()).toEqual({
      success: false,
      error: 'Failed to update profile',
      status: null,
      details: expect.any(String) as string,
    })
  })

  it('8.8 needs a key', async () => {
    const { app, ann, double } = await startYoutubeApp({ key: null })
    expect(await callsAs(app, ann).connect()).toMatchObject({ success: false, error: 'Invalid API key' })
    expect(await callsAs(app, ann).connection()).toEqual({
      isConnected: false,
      hasOwnKey: false,
      hasServerKey: false,
      quota: null,
    })
    expect(double.calls).toEqual([])
  })

  it('5.6 needs a session', async () => {
    const { app } = await startYoutubeApp()
    await expect(app.call(null, 'POST', '/api/youtube/connect', {})).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'You must be logged in to connect to YouTube',
    })
  })

  it('no answer and no log line contains a key, also where YouTube repeats it', async () => {
    const { logger, lines } = captureLog('trace')
    const { app, ann, double } = await startYoutubeApp({ logger })
    const answers: unknown[] = []
    for (const status of [400, 403, 500]) {
      const body = { error: { code: status, message: `The key ${ownKey} is bad`, errors: [] } }
      double.control.faults.add(`${apiPath}/videos`, { status, body }, 1)
      answers.push(await callsAs(app, ann).connect(ownKey))
    }
    double.control.setKey(ownKey, 'valid')
    answers.push(await callsAs(app, ann).connect(ownKey), await callsAs(app, ann).connection())
    double.control.faults.add(apiPath, { hangUp: true })
    answers.push(
      await callsAs(app, ann)
        .search('harbour')
        .catch((error: unknown) => String(error)),
    )
    answers.push(await app.call(ann, 'GET', '/api/profile'), await app.call(ann, 'GET', '/api/sources'))
    const said = JSON.stringify([answers, lines])
    expect(said).toContain('The key *** is bad')
    for (const key of [ownKey, defaultApiKey]) expect(said).not.toContain(key)
  })

  it('limits how often one user may try keys', async () => {
    const { app, ann } = await startYoutubeApp()
    for (let attempt = 0; attempt < 10; attempt++) await callsAs(app, ann).connect('AIzaWrong')
    await expect(callsAs(app, ann).connect('AIzaWrong')).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
