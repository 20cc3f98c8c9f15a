import { Script } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RegisterAnswer } from './sdk/messages.ts'
import { startSpotifyDouble, type SpotifyDouble } from './spotify-double.ts'
import { deviceNotFound } from './spotify-faults.ts'

let double: SpotifyDouble
let token: string
let uris: string[]
beforeEach(async () => {
  double = await startSpotifyDouble()
  token = double.control.issueAccessToken('premium-paula')
  uris = double.control.tracks.map(({ id }) => `spotify:track:${id}`)
})
afterEach(() => double.close())

async function call(method: string, path: string, body?: unknown, accessToken = token) {
  const response = await fetch(double.apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${accessToken}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const play = (deviceId: string | null, body?: unknown, accessToken = token) =>
  call('PUT', `/v1/me/player/play${deviceId === null ? '' : `?device_id=${deviceId}`}`, body, accessToken)

async function register(accessToken: string): Promise<RegisterAnswer> {
  const response = await fetch(`${double.apiUrl}/sdk/devices`, {
    method: 'POST',
    body: JSON.stringify({ token: accessToken, name: 'Earshot', volume: 0.5 }),
  })
  return (await response.json()) as RegisterAnswer
}

describe('the player of the Web API', () => {
  it('answers 204 while nothing plays, then what plays and where', async () => {
    expect(await call('GET', '/v1/me/player')).toEqual({ status: 204, body: null })
    const phone = double.control.addPhone('premium-paula')
    expect((await play(phone, { uris: uris.slice(0, 1), position_ms: 30_000 })).status).toBe(204)
    const { status, body } = await call('GET', '/v1/me/player')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      is_playing: true,
      device: { id: phone, is_active: true, supports_volume: true },
    })
    expect(body.item.uri).toBe(uris[0])
    expect(body.progress_ms).toBeGreaterThanOrEqual(30_000)
    expect(body.progress_ms).toBeLessThan(40_000)
  })

  it('refuses a restricted track, or accepts it and does nothing', async () => {
    const phone = double.control.addPhone('premium-paula')
    const [restricted, silent] = double.control.tracks
    restricted!.onStart = 'refused'
    silent!.onStart = 'ignored'
    const refused = await play(phone, { uris: uris.slice(0, 1) })
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'Player command failed: Restriction violated',
    ])
    expect((await play(phone, { uris: uris.slice(1, 2) })).status).toBe(204)
    expect((await call('GET', '/v1/me/player')).status).toBe(204)
  })

  it('seeks, pauses and goes on', async () => {
    const phone = double.control.addPhone('premium-paula')
    await play(phone, { uris: uris.slice(0, 1) })
    expect((await call('PUT', '/v1/me/player/pause')).status).toBe(204)
    expect((await call('PUT', '/v1/me/player/seek?position_ms=45000')).status).toBe(204)
    expect((await call('GET', '/v1/me/player')).body).toMatchObject({
      is_playing: false,
      progress_ms: 45_000,
    })
    await play(null)
    expect((await call('GET', '/v1/me/player')).body.is_playing).toBe(true)
  })

  it('moves what plays to another device', async () => {
    const [phone, tablet] = [
      double.control.addPhone('premium-paula'),
      double.control.addPhone('premium-paula'),
    ]
    await play(phone, { uris: uris.slice(0, 1), position_ms: 60_000 })
    await call('PUT', '/v1/me/player', { device_ids: [tablet], play: true })
    const { body } = await call('GET', '/v1/me/player')
    expect(body).toMatchObject({ device: { id: tablet }, is_playing: true })
    expect(body.progress_ms).toBeGreaterThanOrEqual(60_000)
    const { devices } = (await call('GET', '/v1/me/player/devices')).body
    expect(devices.map((device: { is_active: boolean }) => device.is_active)).toEqual([false, true])
  })

  it('refuses users without Premium', async () => {
    const free = double.control.issueAccessToken('free-frieda')
    expect(await play(null, { uris }, free)).toMatchObject({
      status: 403,
      body: { error: { status: 403, reason: 'PREMIUM_REQUIRED' } },
    })
  })

  it('refuses unknown devices, a missing device, offline devices and devices of others', async () => {
    const notFound = { status: 404, body: { error: { status: 404, message: 'Device not found' } } }
    expect(await play('nobody', { uris })).toEqual(notFound)
    expect(await play(double.control.addPhone('premium-pedro'), { uris })).toEqual(notFound)
    expect((await play(null, { uris })).body.error.reason).toBe('NO_ACTIVE_DEVICE')
    const phone = double.control.addPhone('premium-paula')
    double.control.setDevicesOnline('premium-paula', false)
    expect(await play(phone, { uris })).toEqual(notFound)
  })

  it('does not know a fresh device when told to', async () => {
    const phone = double.control.addPhone('premium-paula')
    double.control.fail('PUT /v1/me/player/play', deviceNotFound, 1)
    expect((await play(phone, { uris })).status).toBe(404)
    expect((await play(phone, { uris })).status).toBe(204)
    double.control.commands.freshDeviceUnknownMs = 60_000
    expect((await play(phone, { uris })).status).toBe(404)
  })

  it.each([
    ['malformed JSON', '{"uris":', 400],
    ['no uris', { uris: [] }, 400],
    ['another kind of uri', { uris: ['spotify:album:1'] }, 400],
    ['an unknown track', { uris: [`spotify:track:${'0'.repeat(22)}`] }, 404],
    ['a negative position', { uris: ['first'], position_ms: -1 }, 400],
    ['a position in words', { uris: ['first'], position_ms: 'soon' }, 400],
  ])('refuses %s', async (_name, body, status) => {
    const given = typeof body === 'string' ? body : JSON.stringify(body).replace('first', uris[0]!)
    expect((await play(double.control.addPhone('premium-paula'), given)).status).toBe(status)
  })

  it('lets commands overtake each other when told to', async () => {
    const phone = double.control.addPhone('premium-paula')
    await play(phone, { uris: uris.slice(0, 1) })
    await call('PUT', '/v1/me/player/pause')
    const { commands } = double.control
    commands.delayMs = [3_000, 3_000]
    await call('PUT', '/v1/me/player/seek?position_ms=10000')
    commands.delayMs = [0, 0]
    await call('PUT', '/v1/me/player/seek?position_ms=20000')
    const position = async () => (await call('GET', '/v1/me/player')).body.progress_ms
    expect(await position()).toBe(20_000)
    await expect.poll(position).toBe(10_000)
  })
})

describe('the device channel', () => {
  it('accepts Premium users and refuses others with the event that the SDK raises', async () => {
    expect(await register(token)).toMatchObject({ deviceId: expect.any(String), seed: expect.any(Number) })
    const free = double.control.issueAccessToken('free-frieda')
    expect(await register(free)).toMatchObject({ event: 'account_error' })
    expect(await register('BQnever')).toMatchObject({ event: 'authentication_error' })
    const narrow = double.control.issueAccessToken('premium-paula', ['user-read-private'])
    expect(await register(narrow)).toMatchObject({ event: 'authentication_error' })
    double.control.expireAccessTokens('premium-paula')
    expect(await register(token)).toMatchObject({ event: 'authentication_error' })
  })

  it('serves scripts without types and the sound of each track', async () => {
    const script = await fetch(double.sdkUrl)
    expect(script.headers.get('content-type')).toContain('javascript')
    const text = await script.text()
    expect(text).not.toContain('import ')
    expect(() => new Script(text)).not.toThrow()
    const frame = await fetch(`${double.apiUrl}/embedded/playback.ts`)
    expect([frame.status, frame.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('javascript'),
    ])
    expect((await fetch(`${double.apiUrl}/embedded/..%2Fspotify-double.ts`)).status).toBe(404)
    const { id } = double.control.tracks[0]!
    const sound = await fetch(`${double.apiUrl}/sound/${id}.wav?from=10&seconds=1`)
    expect((await sound.arrayBuffer()).byteLength).toBe(44 + 48_000 * 2)
    expect((await fetch(`${double.apiUrl}/sound/${id}.wav?from=0&seconds=9999`)).status).toBe(404)
  })
})

describe('the control for other processes', () => {
  const post = async (name: string, body: unknown) => {
    const response = await fetch(`${double.apiUrl}/control/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }

  it('calls functions and changes settings', async () => {
    const { result } = (await post('issueAccessToken', ['premium-paula'])).body
    expect((await call('GET', '/v1/me', undefined, result)).status).toBe(200)
    await post('expireAccessTokens', ['premium-paula'])
    expect((await call('GET', '/v1/me', undefined, result)).status).toBe(401)
    await post('accounts', { refusesBasic: true })
    expect(double.control.accounts.refusesBasic).toBe(true)
    expect((await post('nothing', [])).status).toBe(404)
  })
})
