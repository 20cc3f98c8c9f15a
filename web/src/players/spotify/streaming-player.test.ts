// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PlayerEvent } from '../player.ts'
import { StreamingPlayer } from './streaming-player.ts'

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

/** What the third party's script would create: it plays what the Web API starts, and reports what the test says. */
class FakeSdk {
  readonly #listeners = new Map<string, (data: unknown) => void>()
  readonly startedAtMs = Date.now()
  #isPaused = false
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
    this.#isPaused = true
  }
  async resume(): Promise<void> {
    this.#isPaused = false
  }
  disconnect(): void {}
  getCurrentState(): Promise<object> {
    const position = Date.now() - this.startedAtMs
    const window = { current_track: { uri, name: 'Song' } }
    return Promise.resolve({
      paused: this.#isPaused,
      loading: false,
      position,
      duration: 200_000,
      track_window: window,
    })
  }
}

/** Opens a player whose frame has the fake script. */
async function open() {
  const made: FakeSdk[] = []
  const player = new StreamingPlayer()
  const events: PlayerEvent[] = []
  player.subscribe((event) => events.push(event))
  const loading = player.load(track, 0)
  await vi.waitFor(() => expect(document.querySelector('iframe')).not.toBeNull())
  const frame = document.querySelector('iframe')
  const Player = class extends FakeSdk {
    constructor() {
      super()
      made.push(this)
    }
  }
  Object.assign(frame?.contentWindow ?? {}, {
    providerReady: Promise.resolve(),
    Spotify: { Player },
    fetch: () => Promise.resolve(new Response(null, { status: 204 })),
  })
  const page = frame?.contentDocument
  if (page && !page.documentElement) page.append(page.createElement('html'))
  frame?.dispatchEvent(new Event('load'))
  await loading
  return { player, events, sdk: made[0]! }
}

beforeEach(() => {
  const token = { accessToken: 'token', expiresAt: Date.now() + 3_600_000 }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(token)))
})
afterEach(() => {
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
