// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PlayerEvent } from '../player.ts'
import { StreamingPlayer } from './streaming-player.ts'

/** As long as the player waits for the first sound. */
const firstSoundTimeoutMs = 10_000
const uri = 'spotify:track:abc'
const track = {
  id: 'spotify:abc',
  title: 'Song',
  artist: '',
  album: '',
  duration: 200_000,
  source: 'spotify' as const,
  albumArt: null,
  album_art: null,
  uri,
}

/** Stands in for the third party's player: plays what the Web API starts, and reports as the test says. */
class FakeSdk {
  readonly #listeners = new Map<string, (data: unknown) => void>()
  readonly startedAtMs = Date.now()
  readonly #isActive: boolean
  isPaused = false
  readonly #getToken: (answer: (token: string) => void) => void
  constructor(isActive: boolean, options: { getOAuthToken: (answer: (token: string) => void) => void }) {
    this.#isActive = isActive
    this.#getToken = options.getOAuthToken
  }
  /** Asks for a token, as it does each hour. */
  askToken(): Promise<string> {
    return new Promise((resolve) => this.#getToken(resolve))
  }
  addListener(name: string, listener: (data: unknown) => void): boolean {
    this.#listeners.set(name, listener)
    return true
  }
  report(name: string, data: unknown): void {
    this.#listeners.get(name)?.(data)
  }
  connect(): Promise<boolean> {
    queueMicrotask(() => this.report('ready', { device_id: 'device' }))
    return Promise.resolve(true)
  }
  async setVolume(): Promise<void> {}
  async seek(): Promise<void> {}
  async pause(): Promise<void> {
    this.isPaused = true
  }
  async resume(): Promise<void> {
    this.isPaused = false
  }
  disconnect(): void {}
  getCurrentState(): Promise<object | null> {
    if (!this.#isActive) return Promise.resolve(null)
    const position = Date.now() - this.startedAtMs
    const window = { current_track: { uri, name: 'Song' } }
    return Promise.resolve({
      paused: this.isPaused,
      loading: false,
      position,
      duration: 200_000,
      track_window: window,
    })
  }
}

const accept = () => new Response(null, { status: 204 })

/**
 * Opens a player whose frame has the fake script. `isIgnored`: Spotify accepts each start and does nothing. `answer`: what
 * the Web API answers.
 */
async function open({ isIgnored = false, answer = accept } = {}) {
  const made: FakeSdk[] = []
  const player = new StreamingPlayer()
  const events: PlayerEvent[] = []
  player.subscribe((event) => events.push(event))
  const loading = player.load(track, 0)
  const Player = class extends FakeSdk {
    constructor(options: ConstructorParameters<typeof FakeSdk>[1]) {
      super(!isIgnored, options)
      made.push(this)
    }
  }
  /** Loads the script in the frame that the player has opened. */
  const loadFrame = async () => {
    const isNew = () => document.querySelector('iframe:not([data-loaded])')
    await vi.waitFor(() => expect(isNew()).not.toBeNull())
    const frame = isNew() as HTMLIFrameElement
    frame.dataset['loaded'] = ''
    Object.assign(frame.contentWindow ?? {}, {
      providerReady: Promise.resolve(),
      Spotify: { Player },
      fetch: () => Promise.resolve(answer()),
    })
    const page = frame.contentDocument
    if (page && !page.documentElement) page.append(page.createElement('html'))
    frame.dispatchEvent(new Event('load'))
  }
  await loadFrame()
  if (isIgnored) await vi.advanceTimersByTimeAsync(firstSoundTimeoutMs)
  await loading
  return { player, events, sdk: made[0]!, made, loadFrame }
}

beforeEach(() => {
  const token = { accessToken: 'token', expiresAt: Date.now() + 3_600_000 }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(token)))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

it('17.113 counts several errors of one attempt to play a track as one', async () => {
  const { player, events, sdk } = await open()
  expect(player.sample()?.status).toBe('ready')
  void player.play(0, 0)
  const error = { message: 'Failed to perform playback' }
  for (let count = 0; count < 5; count += 1) sdk.report('playback_error', error)
  expect(player.sample()?.status).toBe('error')
  expect(events.filter(({ type }) => type === 'error')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'unsupported')).toEqual([])
  sdk.report('account_error', error)
  expect(events.at(-1)).toMatchObject({ type: 'unsupported', reason: 'no_premium' })
  player.dispose()
})

it('15.106 a track whose starts Spotify accepts and does not carry out is given up after three', async () => {
  vi.useFakeTimers()
  const { player, events } = await open({ isIgnored: true })
  const outcomes = () => events.filter(({ type }) => type === 'error' || type === 'unsupported')
  expect(outcomes()).toHaveLength(1)
  for (let attempt = 2; attempt <= 3; attempt += 1) {
    const loading = player.load(track, 0)
    await vi.advanceTimersByTimeAsync(firstSoundTimeoutMs)
    await loading
  }
  expect(outcomes().map(({ type }) => type)).toEqual(['error', 'error', 'unsupported'])
  expect(events.at(-1)).toMatchObject({ trackId: track.id, reason: 'blocked' })
  player.dispose()
})

it('15.144 a player that reports a problem falls silent, also where the music would have gone on', async () => {
  const { player, sdk } = await open()
  void player.play(0, 0)
  await vi.waitFor(() => expect(player.sample()?.status).toBe('playing'))
  expect(sdk.isPaused).toBe(false)
  sdk.report('playback_error', { message: 'Failed to perform playback' })
  expect(player.sample()?.status).toBe('error')
  await vi.waitFor(() => expect(sdk.isPaused).toBe(true))
  player.dispose()
})

it('15.144 plays on while the server restarts, and gives the token once it answers', async () => {
  const { player, events, sdk } = await open()
  void player.play(0, 0)
  await vi.waitFor(() => expect(player.sample()?.status).toBe('playing'))
  vi.useFakeTimers({ now: Date.now() + 3_600_000 })
  let isServerThere = false
  const fresh = { accessToken: 'fresh', expiresAt: Date.now() + 3_600_000 }
  vi.stubGlobal('fetch', () =>
    isServerThere ? Promise.resolve(Response.json(fresh)) : Promise.reject(new TypeError('Failed to fetch')),
  )
  const token = sdk.askToken()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(events.filter(({ type }) => type === 'error')).toEqual([])
  isServerThere = true
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(token).resolves.toBe('fresh')
  player.dispose()
})

it('15.144 reports that the account is no longer connected at once', async () => {
  const { player, events, sdk } = await open()
  void player.play(0, 0)
  await vi.waitFor(() => expect(player.sample()?.status).toBe('playing'))
  vi.useFakeTimers({ now: Date.now() + 3_600_000 })
  const refusal = { error: { code: 'must_reconnect', message: 'Connect Spotify again' } }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(refusal, { status: 409 })))
  void sdk.askToken()
  await vi.advanceTimersByTimeAsync(100)
  expect(events.at(-1)).toMatchObject({ type: 'unsupported', reason: 'not_connected' })
  player.dispose()
})

it('17.411 a device that Spotify has forgotten is replaced by another one at the next load', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let isForgotten = false
  const text = JSON.stringify({ error: { status: 404, message: 'Device not found' } })
  const { player, events, made, loadFrame } = await open({
    answer: () => (isForgotten ? new Response(text, { status: 404 }) : accept()),
  })
  isForgotten = true
  const failing = player.load(track, 0)
  await vi.advanceTimersByTimeAsync(2_000)
  await failing
  expect(events.at(-1)).toMatchObject({ type: 'error', message: 'Device not found' })
  expect(document.querySelector('iframe')).toBeNull()
  isForgotten = false
  const loading = player.load(track, 0)
  await loadFrame()
  await loading
  expect(made).toHaveLength(2)
  expect(player.sample()?.status).toBe('ready')
})
