import { makeTrack } from '@earshot/core/testing/tracks'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { wallNow } from '../../wall-clock.ts'
import type { PlayerEvent } from '../player.ts'
import { DeviceContext, type DeviceGain } from '../testing/device-context.ts'
import { DeviceElement } from '../testing/device-element.ts'

const track = makeTrack('a')

/** The modules of a page that was just loaded: it has no context and no element yet. */
async function loadPage() {
  vi.resetModules()
  const { ElementPlayer } = await import('./element-player.ts')
  const { unlockAudio } = await import('./output/audio-context.ts')
  const openPlayer = () => {
    const player = new ElementPlayer(({ id }) => `/${id}`)
    const events: PlayerEvent[] = []
    player.subscribe((event) => events.push(event))
    const types = () => events.map((event) => (event.type === 'status' ? event.status : event.type))
    return { player, events, types }
  }
  return { openPlayer, unlockAudio }
}

const tap = <Result>(run: () => Result): Result => {
  DeviceElement.gesture = true
  try {
    return run()
  } finally {
    DeviceElement.gesture = false
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A player that plays on an iPhone. */
async function openPlaying() {
  const { openPlayer, unlockAudio } = await loadPage()
  tap(unlockAudio)
  const opened = openPlayer()
  void opened.player.load(track, 0)
  await pass(2_000)
  void opened.player.play(0, wallNow())
  await pass(1_000)
  expect(opened.player.sample()?.status).toBe('playing')
  opened.events.length = 0
  return { ...opened, openPlayer, element: DeviceElement.made[0]! }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_795_000_000_000 })
  vi.stubGlobal('AudioContext', DeviceContext)
  vi.stubGlobal('Audio', DeviceElement)
  DeviceElement.made.length = 0
  DeviceElement.isInCall = false
  Object.defineProperty(navigator, 'audioSession', { value: { type: 'auto' }, configurable: true })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'audioSession')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('17.367 an element that loads only the start before it plays is ready, and blocked until a tap', async () => {
  const { openPlayer } = await loadPage()
  const { player, types } = openPlayer()
  const loaded = player.load(track, 0)
  await pass(2_000)
  await loaded
  expect(types()).toEqual(['loading', 'ready'])
  void player.play(0, wallNow())
  await pass(1_000)
  expect(types()).toContain('blocked')
  void tap(() => player.unlock())
  await pass(1_000)
  expect(player.sample()?.status).toBe('playing')
})

it('17.368 a click before there is a player allows what plays later, also after another kind of player', async () => {
  const { openPlayer, unlockAudio } = await loadPage()
  tap(unlockAudio)
  for (let turn = 0; turn < 2; turn += 1) {
    const { player, types } = openPlayer()
    void player.load(track, 0)
    await pass(2_000)
    void player.play(0, wallNow())
    await pass(1_000)
    expect(player.sample()?.status).toBe('playing')
    expect(types()).not.toContain('blocked')
    player.dispose()
    await pass(1_000)
  }
})

it('17.368 a click on Play allows a loaded element, which plays once the server has answered', async () => {
  const { openPlayer } = await loadPage()
  const { player, types } = openPlayer()
  void player.load(track, 0)
  await pass(2_000)
  void tap(() => player.unlock())
  await pass(1_000)
  expect(player.sample()).toMatchObject({ status: 'paused', positionMs: 0 })
  void player.play(0, wallNow())
  await pass(1_000)
  expect(player.sample()?.status).toBe('playing')
  expect(types()).not.toContain('blocked')
})

it('17.368 a click while a loaded element is about to play leaves it alone', async () => {
  const { openPlayer, unlockAudio } = await loadPage()
  tap(unlockAudio)
  const { player, types } = openPlayer()
  void player.load(track, 0)
  await pass(2_000)
  void player.play(0, wallNow())
  expect(player.sample()?.status).toBe('ready')
  void tap(() => player.unlock())
  await pass(1_000)
  expect(types()).not.toContain('taken_over')
  expect(player.sample()?.status).toBe('playing')
})

it('17.368 a player that is disposed of unused leaves the element to the one that plays', async () => {
  const { openPlayer, unlockAudio } = await loadPage()
  tap(unlockAudio)
  const [used, unused] = [openPlayer(), openPlayer()]
  void used.player.load(track, 0)
  await pass(2_000)
  void used.player.play(0, wallNow())
  unused.player.dispose()
  await pass(1_000)
  expect(used.player.sample()?.status).toBe('playing')
})

it('17.371 stays paused where the system pauses it and it could go on: headphones were pulled out', async () => {
  const { player, element, events } = await openPlaying()
  element.pause()
  await pass(1_000)
  expect(events).toContainEqual({ type: 'taken_over', by: 'system' })
  expect(element.paused).toBe(true)
  expect(player.sample()?.status).toBe('paused')
})

it('17.371 a call that pauses it, and a page that is left for a while, take nothing over', async () => {
  const { player, element, types } = await openPlaying()
  DeviceElement.isInCall = true
  element.pause()
  await pass(1_000)
  DeviceElement.isInCall = false
  void player.play(0, wallNow())
  await pass(1_000)
  expect(player.sample()?.status).toBe('playing')
  window.dispatchEvent(new Event('pagehide'))
  element.pause()
  await pass(1_000)
  expect(player.sample()?.status).toBe('paused')
  expect(types()).not.toContain('taken_over')
})

it('17.371 outside of WebKit it is not tried, which would take the sound from another app', async () => {
  const { element, types } = await openPlaying()
  Reflect.deleteProperty(navigator, 'audioSession')
  const attempt = vi.spyOn(element, 'play')
  element.pause()
  await pass(1_000)
  expect(types()).toContain('taken_over')
  expect(attempt).not.toHaveBeenCalled()
})

it('17.371 its own pause takes nothing over', async () => {
  const { player, types } = await openPlaying()
  void player.pause(1_000)
  await pass(1_000)
  expect(types()).toEqual(['paused'])
})

it('17.372 is ready again where a track that has ended is to be played once more', async () => {
  const { player, element } = await openPlaying()
  element.end()
  await pass(1_000)
  expect(player.sample()?.status).toBe('ended')
  void player.pause(0)
  await pass(1_000)
  expect(player.sample()).toMatchObject({ status: 'paused', positionMs: 0 })
})

it('17.442, 17.486 its sound has the volume of each track', async () => {
  const route = vi.spyOn(DeviceContext.prototype, 'createMediaElementSource')
  const { player } = await openPlaying()
  const heardDb = () => {
    const { connectedTo } = route.mock.results[0]!.value as DeviceGain
    return 20 * Math.log10((connectedTo as DeviceGain).gain.value)
  }
  expect(heardDb()).toBe(0)
  void player.load({ ...track, id: 'b', gain_db: -10 }, 0)
  await pass(1_000)
  expect(heardDb()).toBe(-10)
  void player.load({ ...track, id: 'c', gain_db: 4, peak: 0.5 }, 0)
  await pass(1_000)
  expect(heardDb()).toBeCloseTo(4)
  const stated = { ...track, album: 'Live', gain_db: 4, album_gain_db: -6 }
  void player.load({ ...stated, id: 'd' }, 0, { next: { ...stated, id: 'e' } })
  await pass(1_000)
  expect(heardDb()).toBeCloseTo(-6)
  expect(route).toHaveBeenCalledTimes(1)
})

it('17.417 the player that replaces one whose context died plays in a new context, with a new element', async () => {
  const contexts: DeviceContext[] = []
  class MadeContext extends DeviceContext {
    constructor() {
      super()
      contexts.push(this)
    }
  }
  vi.stubGlobal('AudioContext', MadeContext)
  const route = vi.spyOn(DeviceContext.prototype, 'createMediaElementSource')
  const { openPlayer, player, types } = await openPlaying()
  await pass(5_000)
  contexts[0]?.die()
  await pass(6_000)
  expect(types()).toContain('output_dead')
  expect([contexts.length, contexts[0]?.state]).toEqual([1, 'closed'])
  player.dispose()

  const { player: next } = openPlayer()
  void next.load(track, 0)
  await pass(2_000)
  void next.play(0, wallNow())
  await pass(1_000)
  void tap(() => next.unlock())
  await pass(1_000)
  expect(next.sample()?.status).toBe('playing')
  expect([contexts.length, contexts[1]?.state]).toEqual([2, 'running'])
  expect(route.mock.contexts).toEqual(contexts)
  await pass(60_000)
  expect(contexts).toHaveLength(2)
})
