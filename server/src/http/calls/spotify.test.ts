import type { Profile } from '@earshot/core/protocol/entities'
import type { SpotifyConnection } from '@earshot/core/protocol/providers'
import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { describe, expect, it } from 'vitest'
import { signUp, startApp, type TestApp, type TestUser } from '../../../test/apps.ts'
import { ask } from '../../../test/ask.ts'
import { addSession } from '../../../test/sign-in.ts'
import { makeSharedEngines } from '../../../test/two-servers.ts'
import { storeSpotifyAccount } from '../../db/spotify-accounts.ts'
import { connect, consent, startSpotifyApp } from '../../providers/spotify/testing/spotify-app.ts'

const dayMs = 24 * 60 * 60 * 1_000

const disconnected: SpotifyConnection = {
  isConnected: false,
  displayName: null,
  authorizedAt: null,
  expiresSoon: false,
  mustReconnect: false,
}

const stateOf = async (app: TestApp, user: TestUser): Promise<SpotifyConnection> =>
  (await app.call<{ connection: SpotifyConnection }>(user, 'GET', '/api/spotify')).connection

const usedState = { code: 'invalid_input', message: expect.stringContaining('expired or was used') }

const exchangesOf = ({ calls }: SpotifyDouble): number =>
  calls.filter(({ path, body }) => path === '/api/token' && body.includes('authorization_code')).length

const profileOf = async (app: TestApp, user: TestUser): Promise<Profile> =>
  (await app.call<{ profile: Profile }>(user, 'GET', '/api/profile')).profile

const finish = (app: TestApp, user: TestUser, callback: { code: string; state: string }) =>
  app.call<{ connection: SpotifyConnection }>(user, 'POST', '/api/spotify/callback', callback)

describe('the consent page', () => {
  it('7.10a, 7.10b is opened with the scopes, PKCE, a state and show_dialog', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    const { url } = await app.call<{ url: string }>(ann, 'POST', '/api/spotify/authorize')
    const { origin, pathname, searchParams } = new URL(url)
    expect(origin + pathname).toBe(`${double.accountsUrl}/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: double.app.clientId,
      scope:
        'user-read-private user-read-email user-read-playback-state user-modify-playback-state ' +
        'user-read-currently-playing streaming playlist-read-private playlist-read-collaborative',
      redirect_uri: `${app.address}/callback`,
      show_dialog: 'true',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { url: second } = await app.call<{ url: string }>(ann, 'POST', '/api/spotify/authorize')
    for (const name of ['state', 'code_challenge']) {
      expect(new URL(second).searchParams.get(name)).not.toBe(searchParams.get(name))
    }
  })

  it.each([
    [{ PUBLIC_URL: 'https://music.example.org' }, 'https://music.example.org/callback'],
    [
      { PUBLIC_URL: 'https://music.example.org', SPOTIFY_REDIRECT_URI: 'https://other.example.org/back' },
      'https://other.example.org/back',
    ],
  ])('7.10c returns to the public URL, or a fixed address', async (variables, expected) => {
    const { app } = await startSpotifyApp({ variables })
    const ann = await signUp(app, 'ann')
    const answer = await ask(`${app.address}/api/spotify/authorize`, {
      method: 'POST',
      headers: { cookie: ann.cookie.replace('earshot.', '__Secure-earshot.'), origin: variables.PUBLIC_URL },
    })
    const { url } = answer.json as { url: string }
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(expected)
  })

  it('5.6, 8.1c requires a session, and says what for', async () => {
    const { app } = await startSpotifyApp()
    const refused = { code: 'unauthenticated', message: 'You must be logged in to connect to Spotify' }
    await expect(app.call(null, 'POST', '/api/spotify/authorize')).rejects.toMatchObject(refused)
    const callback = { code: 'code', state: 'state' }
    await expect(app.call(null, 'POST', '/api/spotify/callback', callback)).rejects.toMatchObject(refused)
    await expect(app.call(null, 'POST', '/api/spotify/token')).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  it('2.26a cannot be opened on a server without credentials, and the error names them', async () => {
    const app = await startApp()
    const ann = await signUp(app, 'ann')
    const refused = {
      code: 'source_unavailable',
      message: expect.stringContaining('Set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET'),
    }
    await expect(app.call(ann, 'POST', '/api/spotify/authorize')).rejects.toMatchObject(refused)
    await expect(app.call(ann, 'POST', '/api/spotify/token')).rejects.toMatchObject(refused)
    await expect(app.call(ann, 'GET', '/api/spotify/playlists')).rejects.toMatchObject(refused)
    expect(await stateOf(app, ann)).toEqual(disconnected)
  })
})

describe('connecting Spotify', () => {
  it('6.2d, 7.7c, 7.11 exchanges the code, and updates the profile', async () => {
    const { app, double, clock } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    const before = clock.now()
    expect(await stateOf(app, ann)).toEqual(disconnected)
    const connection = await connect({ app, double }, ann)
    expect(connection).toEqual({
      ...disconnected,
      isConnected: true,
      displayName: 'Paula',
      authorizedAt: expect.any(Number),
    })
    expect(connection.authorizedAt).toBeGreaterThanOrEqual(Math.floor(before))
    expect(await stateOf(app, ann)).toEqual(connection)
    expect(await profileOf(app, ann)).toMatchObject({ spotify_connected: true })
    const exchange = double.calls.find(({ path }) => path === '/api/token')
    expect(exchange?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    const { clientId, clientSecret } = double.app
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    expect(exchange?.headers['authorization']).toBe(`Basic ${basic}`)
    expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
      grant_type: 'authorization_code',
      code: expect.any(String),
      redirect_uri: `${app.address}/callback`,
      code_verifier: expect.stringMatching(/^[\w.~-]{43,128}$/),
    })
  })

  it('7.10a, 15.4 refuses a forged, repeated, foreign or expired state, without asking Spotify', async () => {
    const { app, double, advance } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    const bob = await signUp(app, 'bob')
    const annElsewhere = { ...ann, cookie: await addSession(app.db, app.secret, ann.id) }
    const callback = await consent({ app, double }, ann)
    await expect(finish(app, ann, { ...callback, state: 'forged' })).rejects.toMatchObject(usedState)
    await expect(finish(app, bob, callback)).rejects.toMatchObject(usedState)
    await expect(finish(app, annElsewhere, callback)).rejects.toMatchObject(usedState)
    expect(exchangesOf(double)).toBe(0)
    await finish(app, ann, callback)
    await expect(finish(app, ann, callback)).rejects.toMatchObject(usedState)
    const late = await consent({ app, double }, ann)
    advance(10 * 60_000 + 1_000)
    await expect(finish(app, ann, late)).rejects.toMatchObject(usedState)
    expect(exchangesOf(double)).toBe(1)
  })

  it('7.10a, 15.4 uses up a state once, whichever of two processes it reaches', async () => {
    const engines = await makeSharedEngines()
    const first = await startSpotifyApp({ ...engines })
    const second = await startSpotifyApp({ ...engines, double: first.double })
    const ann = await signUp(first.app, 'ann')
    const { url } = await first.app.call<{ url: string }>(ann, 'POST', '/api/spotify/authorize')
    const { searchParams } = new URL(await first.double.control.consentTo(url))
    const callback = { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
    const apps = [first.app, second.app, first.app, second.app]
    const outcomes = await Promise.allSettled(apps.map((app) => finish(app, ann, callback)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(exchangesOf(first.double)).toBe(1)
  })

  it('7.10a keeps the five newest states of a user, and refuses more than ten a minute', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    const oldest = await consent({ app, double }, ann)
    const others = []
    for (let count = 0; count < 5; count += 1) others.push(await consent({ app, double }, ann))
    await expect(finish(app, ann, oldest)).rejects.toMatchObject(usedState)
    await finish(app, ann, others[0]!)
    const more = Promise.all(Array.from({ length: 5 }, () => app.call(ann, 'POST', '/api/spotify/authorize')))
    await expect(more).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('8.7a wraps what Spotify answers, and connects nothing', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    const { state } = await consent({ app, double }, ann)
    await expect(finish(app, ann, { code: 'not a code', state })).rejects.toMatchObject({
      code: 'provider_failed',
      message: 'Token exchange failed: Invalid authorization code',
    })
    expect(await stateOf(app, ann)).toEqual(disconnected)
    expect(await profileOf(app, ann)).toMatchObject({ spotify_connected: false })
  })

  it('refuses an account that Spotify does not admit, and says who can change it', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    await expect(connect({ app, double }, ann, 'unlisted-uma')).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.stringContaining('must add it in the dashboard'),
    })
    expect(await stateOf(app, ann)).toEqual(disconnected)
  })

  it('does without the name of the account where Spotify does not tell it', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    double.control.fail('GET /v1/me', { status: 503, body: 'down' })
    expect(await connect({ app, double }, ann)).toMatchObject({ isConnected: true, displayName: null })
  })

  it('7.7c, 15.1 warns after five months, and has ended after six', async () => {
    const { app, double, advance } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    await connect({ app, double }, ann)
    advance(140 * dayMs)
    expect(await stateOf(app, ann)).toMatchObject({ isConnected: true, expiresSoon: false })
    advance(14 * dayMs)
    expect(await stateOf(app, ann)).toMatchObject({ isConnected: true, expiresSoon: true })
    advance(31 * dayMs)
    expect(await stateOf(app, ann)).toMatchObject({ isConnected: false, mustReconnect: true })
    const token = app.call(ann, 'POST', '/api/spotify/token')
    await expect(token).rejects.toMatchObject({ code: 'must_reconnect' })
    expect(await connect({ app, double }, ann)).toMatchObject({ isConnected: true, mustReconnect: false })
  })
})

describe('disconnecting Spotify', () => {
  it('7.7c forgets the tokens and pending consents, and updates the profile', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    const bob = await signUp(app, 'bob')
    await connect({ app, double }, ann)
    await connect({ app, double }, bob, 'premium-pedro')
    const pending = await consent({ app, double }, ann)
    expect(await app.call(ann, 'DELETE', '/api/spotify')).toEqual({ connection: disconnected })
    expect(await profileOf(app, ann)).toMatchObject({ spotify_connected: false })
    const rows = await app.db.selectFrom('spotify_accounts').select('user_id').execute()
    expect(rows).toEqual([{ user_id: bob.id }])
    await expect(finish(app, ann, pending)).rejects.toMatchObject(usedState)
    const token = app.call(ann, 'POST', '/api/spotify/token')
    await expect(token).rejects.toMatchObject({ code: 'not_connected' })
    expect(await app.call(ann, 'DELETE', '/api/spotify')).toEqual({ connection: disconnected })
  })
})

it('7.7c forgets the tokens also where the credentials were removed since', async () => {
  const app = await startApp()
  const ann = await signUp(app, 'ann')
  const account = { spotify_tokens: 'sealed', display_name: 'Ann', authorized_at: 1 }
  await storeSpotifyAccount(app.db, ann.id, account)
  expect(await app.call(ann, 'DELETE', '/api/spotify')).toEqual({ connection: disconnected })
  expect(await app.db.selectFrom('spotify_accounts').selectAll().execute()).toEqual([])
  expect(await profileOf(app, ann)).toMatchObject({ spotify_connected: false })
})

describe('the access token of the page', () => {
  it("3.6b is its own user's, short-lived, and kept by no cache", async () => {
    const { app, double, clock } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    const bob = await signUp(app, 'bob')
    await connect({ app, double }, ann)
    const question = { method: 'POST', headers: { cookie: ann.cookie, origin: app.address } }
    const answer = await ask(`${app.address}/api/spotify/token`, question)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(answer.json as object).toSorted()).toEqual(['accessToken', 'expiresAt'])
    const { accessToken, expiresAt } = answer.json as { accessToken: string; expiresAt: number }
    const me = await fetch(`${double.apiUrl}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } })
    expect(await me.json()).toMatchObject({ id: 'premium-paula' })
    expect(expiresAt - clock.now()).toBeGreaterThan(3_500_000)
    expect(expiresAt - clock.now()).toBeLessThanOrEqual(3_600_000)
    await expect(app.call(bob, 'POST', '/api/spotify/token')).rejects.toMatchObject({ code: 'not_connected' })
  })

  it('15.105 is replaced before it expires where the page says that Spotify refused it', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    await connect({ app, double }, ann)
    const askFor = async (body?: { rejected: string }) =>
      (await app.call<{ accessToken: string }>(ann, 'POST', '/api/spotify/token', body)).accessToken
    const first = await askFor()
    double.control.expireAccessTokens('premium-paula')
    expect(await askFor()).toBe(first)
    const second = await askFor({ rejected: first })
    const me = await fetch(`${double.apiUrl}/v1/me`, { headers: { authorization: `Bearer ${second}` } })
    expect(me.status).toBe(200)
    // Another page that was refused the same token.
    expect(await askFor({ rejected: first })).toBe(second)
    double.control.revokeConsent('premium-paula')
    await expect(askFor({ rejected: second })).rejects.toMatchObject({ code: 'must_reconnect' })
    expect(await stateOf(app, ann)).toMatchObject({ isConnected: false, mustReconnect: true })
  })

  it('is refused to a client that asks all the time', async () => {
    const { app, double } = await startSpotifyApp()
    const ann = await signUp(app, 'ann')
    await connect({ app, double }, ann)
    const requests = Array.from({ length: 25 }, () => app.call(ann, 'POST', '/api/spotify/token'))
    const outcomes = await Promise.allSettled(requests)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({
      reason: { code: 'rate_limited', details: { retryAfterMs: expect.any(Number) } },
    })
  })
})
