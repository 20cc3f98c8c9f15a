// @vitest-environment jsdom
import { toTrackId } from '@earshot/core/protocol/providers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PlayerEvent } from '../player.ts'
import { VideoPlayer } from './video-player.ts'
import { createVideoSurface } from './video-surface.ts'

/** What the third party's script would create: it records its commands and reports what the test says. */
class FakeYoutube {
  readonly calls: string[] = []
  readonly events: Required<Pick<YT.Events, 'onReady' | 'onStateChange' | 'onError' | 'onAutoplayBlocked'>>
  seconds: number | undefined = 0
  rate = 1
  duration = 0
  constructor(_id: string, options: YT.PlayerOptions) {
    this.events = options.events as FakeYoutube['events']
    this.calls.push(`create ${options.videoId ?? ''}`)
  }
  readonly #call = (name: string) => (argument?: unknown) =>
    void this.calls.push(argument === undefined ? name : `${name} ${JSON.stringify(argument)}`)
  playVideo = this.#call('play')
  pauseVideo = this.#call('pause')
  seekTo = this.#call('seek')
  cueVideoById = this.#call('cue')
  setVolume = this.#call('volume')
  setPlaybackRate = this.#call('rate')
  getCurrentTime = () => this.seconds
  getPlaybackRate = () => this.rate
  getDuration = () => this.duration
  report(state: number) {
    this.events.onStateChange({ target: this as never, data: state })
  }
}

const track = (id: string) => ({
  id: toTrackId('youtube', id),
  title: id,
  artist: '',
  album: '',
  duration: 60_000,
  source: 'youtube' as const,
  albumArt: null,
  album_art: null,
})

/** Opens a player in a place on the page. Its frames load only as the test says. */
function open({ hasPlace = true } = {}) {
  const surface = createVideoSurface()
  const host = document.createElement('div')
  document.body.append(host)
  if (hasPlace) surface.setState({ host })
  const player = new VideoPlayer(surface)
  const events: PlayerEvent[] = []
  player.subscribe((event) => events.push(event))
  const created: FakeYoutube[] = []
  const loadFrame = async (ready: Promise<void> = Promise.resolve()) => {
    const frame = host.querySelector('iframe')
    ready.catch(() => undefined)
    Object.assign(frame?.contentWindow ?? {}, {
      providerReady: ready,
      YT: {
        Player: class extends FakeYoutube {
          constructor(id: string, options: YT.PlayerOptions) {
            super(id, options)
            created.push(this)
          }
        },
      },
    })
    frame?.dispatchEvent(new Event('load'))
    await vi.advanceTimersByTimeAsync(0)
  }
  const youtube = () => created.at(-1)!
  const becomeReady = async () => {
    await loadFrame()
    youtube().events.onReady({ target: youtube() as never })
  }
  return { surface, host, player, events, created, loadFrame, becomeReady, youtube }
}

const status = (player: VideoPlayer) => player.sample()?.status

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

describe('the video player', () => {
  it('2.22b, 4.23a waits for its place, then cues the video and rests at its position', async () => {
    const { surface, host, player, becomeReady, youtube } = open({ hasPlace: false })
    void player.load(track('a'), 7_000)
    expect(host.querySelector('iframe')).toBeNull()
    expect(status(player)).toBe('loading')
    surface.setState({ host })
    await becomeReady()
    expect(youtube().calls).toEqual(['create a', 'volume 100'])
    expect(player.sample()).toMatchObject({ status: 'ready', positionMs: 7_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(youtube().calls.slice(2)).toEqual(['seek 7', 'pause'])
    player.dispose()
    expect(host.querySelector('iframe')).toBeNull()
  })

  it('15.21 is blocked where the video does not start, and starts with a click', async () => {
    const { player, events, becomeReady, youtube } = open()
    void player.load(track('a'), 0)
    await becomeReady()
    youtube().events.onAutoplayBlocked({ target: youtube() as never })
    expect(events).not.toContainEqual({ type: 'blocked' })
    void player.play(0, 0)
    youtube().events.onAutoplayBlocked({ target: youtube() as never })
    expect(events).toContainEqual({ type: 'blocked' })
    void player.unlock()
    youtube().report(1)
    expect(events.at(-1)).toEqual({ type: 'unblocked' })
    expect(status(player)).toBe('playing')
  })

  it('15.21 is blocked where nothing happens for 3 s', async () => {
    const { player, events, becomeReady } = open()
    void player.load(track('a'), 0)
    await becomeReady()
    void player.play(0, 0)
    await vi.advanceTimersByTimeAsync(2_999)
    expect(events).not.toContainEqual({ type: 'blocked' })
    await vi.advanceTimersByTimeAsync(1)
    expect(events).toContainEqual({ type: 'blocked' })
  })

  it('9.2 reports the duration once, 2 s after the video began to play', async () => {
    const { player, events, becomeReady, youtube } = open()
    void player.load(track('a'), 0)
    await becomeReady()
    void player.play(0, 0)
    youtube().report(1)
    youtube().duration = 214.5
    await vi.advanceTimersByTimeAsync(2_000)
    expect(events).toContainEqual({ type: 'duration', durationMs: 214_500 })
    youtube().report(3)
    youtube().report(1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(events.filter(({ type }) => type === 'duration')).toHaveLength(1)
  })

  it('8.6 shows why it failed, and loads again at the request of the listener', async () => {
    const { surface, player, loadFrame, becomeReady, youtube } = open()
    void player.load(track('a'), 0)
    await loadFrame(Promise.reject(new Error('no network')))
    expect(surface.getState().video).toEqual({
      phase: 'loading',
      problem: { kind: 'load_failed', reason: 'no network' },
    })
    await vi.advanceTimersByTimeAsync(2_000)
    await becomeReady()
    youtube().events.onError({ target: youtube() as never, data: 153 as number })
    expect(status(player)).toBe('error')
    expect(surface.getState().video?.problem).toEqual({ kind: 'code', code: 153 })
    surface.getState().retry?.()
    youtube().report(5)
    expect(youtube().calls.at(-1)).toMatch(/^cue/)
    expect(status(player)).toBe('ready')
  })

  it('4.23b tells the room why nobody can play a video', async () => {
    const { player, events, becomeReady, youtube } = open()
    void player.load(track('a'), 0)
    await becomeReady()
    youtube().events.onError({ target: youtube() as never, data: 100 })
    expect(events).toContainEqual({ type: 'unsupported', trackId: 'youtube:a', reason: 'removed' })
  })

  it('4.23a copes with a player that states no position yet', async () => {
    const { player, becomeReady, youtube } = open()
    void player.load(track('a'), 3_000)
    await becomeReady()
    void player.play(3_000, 0)
    youtube().report(1)
    youtube().seconds = undefined
    expect(player.sample()?.positionMs).toBe(3_000)
  })

  it('17.112 reports the duration once the player states it', async () => {
    const { player, events, becomeReady, youtube } = open()
    void player.load(track('a'), 0)
    await becomeReady()
    void player.play(0, 0)
    youtube().report(1)
    const durations = () => events.filter(({ type }) => type === 'duration')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(durations()).toEqual([])
    youtube().duration = 200
    await vi.advanceTimersByTimeAsync(5_000)
    expect(durations()).toEqual([{ type: 'duration', durationMs: 200_000 }])
    player.dispose()
  })

  it('17.111 plays again where an extension of the browser removed the player', async () => {
    const { host, player, created, becomeReady, youtube } = open()
    void player.load(track('a'), 0)
    await becomeReady()
    void player.play(0, 0)
    youtube().report(1)
    expect(status(player)).toBe('playing')
    host.replaceChildren()
    expect(status(player)).toBe('loading')
    await becomeReady()
    expect(created).toHaveLength(2)
    expect(status(player)).toBe('ready')
    void player.play(4_000, 0)
    expect(youtube().calls).toContain('play')
    player.dispose()
  })

  it('15.20 gives up rates that do not read back', async () => {
    const { player, becomeReady, youtube } = open()
    void player.load(track('a'), 0)
    await becomeReady()
    void player.play(0, 0)
    youtube().report(1)
    player.setRate(1.05)
    for (let turn = 1; turn <= 6; turn += 1) {
      await vi.advanceTimersByTimeAsync(250)
      youtube().seconds = turn / 4
      player.sample()
    }
    expect(player.capabilities.rates).toBe('none')
  })
})
