// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeVideo as track, openVideoPlayer as open } from '../testing/fake-youtube.ts'
import type { VideoPlayer } from './video-player.ts'

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
    expect(youtube().calls).toEqual(['create a', 'unmute', 'volume 100'])
    expect(player.sample()).toMatchObject({ status: 'ready', positionMs: 7_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(youtube().calls.slice(3)).toEqual(['seek 7', 'pause'])
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

  it('15.109 a video that YouTube offers in some countries only is blocked for the listener whose player refuses it', async () => {
    for (const [regional, code, reason] of [
      [true, 150, 'blocked'],
      [true, 101, 'blocked'],
      [true, 100, 'removed'],
      [undefined, 150, 'not_embeddable'],
    ] as const) {
      const { player, events, becomeReady, youtube } = open()
      void player.load({ ...track('a'), regional }, 0)
      await becomeReady()
      youtube().events.onError({ target: youtube() as never, data: code })
      expect(events).toContainEqual({ type: 'unsupported', trackId: 'youtube:a', reason })
      player.dispose()
      document.body.replaceChildren()
    }
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

  it('15.142 is muted at volume 0, also where the system ignores the volume, and sounds again with any other', async () => {
    const { player, becomeReady, youtube } = open()
    player.setVolume(0)
    void player.load(track('a'), 0)
    await becomeReady()
    expect(youtube().calls).toEqual(['create a', 'mute'])
    player.setVolume(0.5)
    player.setVolume(0)
    expect(youtube().calls.slice(2)).toEqual(['unmute', 'volume 50', 'mute'])
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
