import { makeTimeline, makeShortTrack } from '../testing/room-fixtures.ts'
import { listen, offsetMs, pass, playing, serverNow } from '../testing/listen.ts'
import { initialClock } from '@earshot/core/sync/clock/clock-offset'
import { positionAt } from '@earshot/core/sync/timeline'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { wallNow } from '../../wall-clock.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

describe('a listener who joins', () => {
  it("4.19a, 4.19c loads at 0, then seeks to the room's position and stays in sync", async () => {
    const { latest, reports, state } = listen(playing(20_000))
    await pass(1_000)
    expect(latest().calls[0]).toBe('load a at 0')
    await pass(4_000)
    const sample = latest().sample()
    const wanted = positionAt(state.timeline, (sample?.atClientMs ?? 0) + offsetMs)
    expect(Math.abs((sample?.positionMs ?? 0) - wanted)).toBeLessThan(1)
    expect(reports.at(-1)).toMatchObject({ cause: 'in_sync' })
    expect(latest().calls.filter((call) => call === 'play')).toHaveLength(1)
  })

  it("16.88 fetches the sound at the room's position, not the start of the track", async () => {
    const { latest, state } = listen(playing(2_000_000))
    await pass(300)
    expect(latest().calls).toEqual(['load a at 0'])
    const wanted = positionAt(state.timeline, wallNow() + offsetMs)
    expect(Math.abs((latest().bufferedFromMs[0] ?? 0) - wanted)).toBeLessThan(1_000)
  })

  it('16.88 fetches the start of a track that is about to start', async () => {
    const { latest } = listen(playing(100))
    await pass(300)
    expect(latest().bufferedFromMs).toEqual([0])
  })

  it('11.1a is silent until the clock is measured, however old the timeline is', async () => {
    const { latest, reports, measure } = listen(playing(0), initialClock)
    await pass(15_000)
    expect(latest().calls).toEqual(['load a at 0'])
    expect(reports.at(-1)).toMatchObject({ cause: 'no_clock' })
    measure()
    await pass(2_000)
    expect(latest().sample()).toMatchObject({ status: 'playing' })
    expect(latest().sample()?.positionMs).toBeCloseTo(17_000, -1)
  })

  it('11.1c is silent until the server has confirmed the timeline that the page restored', async () => {
    const { latest, reports, change, state } = listen({ ...playing(20_000) })
    change({ isOutdated: true })
    await pass(3_000)
    expect(latest().calls).toEqual(['load a at 0'])
    expect(reports.at(-1)).toMatchObject({ cause: 'no_clock' })
    change({ isOutdated: false, timeline: { ...state.timeline, positionMs: 40_000, sequenceNumber: 300 } })
    await pass(1_000)
    expect(latest().calls.filter((call) => call === 'play')).toHaveLength(1)
    expect(latest().sample()?.positionMs).toBeCloseTo(44_000, -1)
  })

  it("4.19a pauses at the room's position, and starts at its start time", async () => {
    const { latest, change } = listen({ positionMs: 7_000 })
    await pass(1_000)
    expect(latest().sample()).toMatchObject({ status: 'ready', positionMs: 7_000 })
    change({ timeline: makeTimeline({ ...playing(7_000), atServerMs: serverNow() + 150 }) })
    await pass(150)
    expect(latest().sample()?.positionMs).toBeCloseTo(7_000, 0)
    await pass(1_000)
    expect(latest().sample()?.positionMs).toBeCloseTo(8_000, 0)
  })

  it('4.20a, 9.11 is checked four times a second, and so at least every 500 ms', async () => {
    const { latest } = listen(playing(20_000))
    await pass(3_000)
    const readAtMs: number[] = []
    const sample = vi.spyOn(latest(), 'sample')
    sample.mockImplementation(() => {
      readAtMs.push(wallNow())
      return null
    })
    await pass(2_000)
    const gaps = readAtMs.slice(1).map((atMs, index) => Math.round(atMs - (readAtMs[index] ?? 0)))
    expect(new Set(gaps.filter((gapMs) => gapMs > 0))).toEqual(new Set([250]))
  })

  it('12.20d is checked twice a second in a paused room', async () => {
    const { reports } = listen({})
    await pass(3_000)
    const before = reports.length
    await pass(5_000)
    expect(reports.length - before).toBe(10)
  })

  it('waits for a track that is being fetched', async () => {
    const { latest, reports, change } = listen({})
    change({ timeline: makeTimeline({ trackId: 'b', sequenceNumber: 101 }), track: null })
    await pass(500)
    expect(reports.at(-1)).toMatchObject({ cause: 'buffering', errorMs: null })
    expect(latest().calls).not.toContain('load b at 0')
    change({ track: makeShortTrack('b') })
    expect(latest().calls).toContain('load b at 0')
  })
})

describe('a cued track', () => {
  it('is preloaded before the current one has ended', async () => {
    const { latest, change } = listen(playing(20_000))
    change({ nextTrack: makeShortTrack('b') })
    await pass(9_000)
    expect(latest().calls).not.toContain('prepare b, due soon')
    await pass(2_000)
    expect(latest().calls).toContain('prepare b, due soon')
  })

  it('17.418 is preloaded only once the current one is loaded, for a listener who joins near its end', async () => {
    const { latest, change } = listen(playing(50_000))
    change({ nextTrack: makeShortTrack('b') })
    await pass(0)
    expect(latest().calls).toEqual(['load a at 0'])
    await pass(2_000)
    expect(latest().calls).toContain('prepare b, due soon')
  })
})

describe('listener commands', () => {
  it('4.20d align at once', async () => {
    const { latest, playerLoop } = listen(playing())
    await pass(3_000)
    const before = latest().calls.length
    playerLoop.align()
    expect(latest().calls.slice(before)).toEqual(['play'])
  })

  it('12.23a, 12.23b pause and resume the own sound, at the position of the room', async () => {
    const { latest, change, reports, state } = listen(playing())
    await pass(3_000)
    change({ isPausedHere: true })
    expect(latest().sample()?.status).toBe('paused')
    await pass(10_000)
    expect(latest().calls.filter((call) => call.startsWith('pause'))).toHaveLength(1)
    expect(reports.at(-1)).toMatchObject({ cause: 'paused', errorMs: null })
    change({ isPausedHere: false })
    await pass(3_000)
    const sample = latest().sample()
    const wanted = positionAt(state.timeline, (sample?.atClientMs ?? 0) + offsetMs)
    expect(sample?.positionMs).toBeCloseTo(wanted, 0)
    expect(reports.at(-1)).toMatchObject({ cause: 'in_sync' })
  })

  it('12.23a do not hold up a cued track that this page will not play', async () => {
    const { latest, ready, change } = listen({})
    await pass(1_000)
    change({
      isPausedHere: true,
      timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 101 }),
    })
    expect(ready).toEqual([101])
    change({
      isPausedHere: false,
      timeline: makeTimeline({ ...playing(9_000), trackId: 'b' }),
      track: makeShortTrack('b'),
    })
    await pass(3_000)
    expect(latest().calls.some((call) => call.startsWith('load b'))).toBe(true)
    expect(latest().sample()?.status).toBe('playing')
  })

  it('set the volume by its square', async () => {
    const { latest, playerLoop } = listen({})
    await pass(0)
    expect(latest().volume).toBe(0.25)
    playerLoop.setVolume(0.1)
    expect(latest().volume).toBeCloseTo(0.01)
  })

  it('4.19e an external command moves the own player until the next alignment', async () => {
    const { latest, playerLoop, reports } = listen(playing())
    await pass(3_000)
    playerLoop.applyExternal({ isPlaying: false, positionMs: null })
    expect(latest().sample()?.status).toBe('paused')
    playerLoop.applyExternal({ isPlaying: true, positionMs: 30_000 })
    expect(latest().sample()?.status).toBe('playing')
    expect(latest().sample()?.positionMs).toBeCloseTo(30_000, -1)
    await pass(5_000)
    expect(reports.at(-1)).toMatchObject({ cause: 'in_sync' })
    expect(latest().sample()?.positionMs).toBeCloseTo(8_000, -2)
  })

  it('4.19e an external seek leaves a paused player paused', async () => {
    const { latest, playerLoop } = listen({})
    await pass(1_000)
    playerLoop.applyExternal({ isPlaying: null, positionMs: 4_000 })
    expect(latest().calls.at(-1)).toBe('pause at 4000')
  })

  it('4.19e an external command without player and track does nothing', async () => {
    const { players, playerLoop } = listen({ trackId: null, source: null })
    await pass(1_000)
    playerLoop.applyExternal({ isPlaying: true, positionMs: 0 })
    expect(players).toEqual([])
  })

  it('17.306 release the player, and get another one for the next track', async () => {
    const { players, playerLoop, change, state } = listen(playing())
    await pass(3_000)
    change({ timeline: makeTimeline({ trackId: null, source: null }), track: null })
    playerLoop.release()
    await pass(3_000)
    expect(players.map(({ player }) => player.isDisposed)).toEqual([true])
    change({ timeline: { ...state.timeline, ...makeTimeline(playing(5_000)) }, track: makeShortTrack('a') })
    await pass(3_000)
    expect(players.map(({ player }) => player.isDisposed)).toEqual([true, false])
    expect(players[1]?.player.sample()).toMatchObject({ status: 'playing' })
  })

  it('dispose the player', async () => {
    const { latest, playerLoop, reports } = listen(playing())
    await pass(3_000)
    playerLoop.dispose()
    const reportCount = reports.length
    await pass(3_000)
    expect(latest().isDisposed).toBe(true)
    expect(reports).toHaveLength(reportCount)
  })
})

it('4.21a passes on the duration that the player measured', async () => {
  const { latest, durations } = listen(playing())
  await pass(1_000)
  latest().emit({ type: 'duration', durationMs: 61_000 })
  expect(durations).toEqual([['a', 61_000]])
})

describe('a failing player', () => {
  it('is reported when the browser blocks it, and aligned when unblocked', async () => {
    const { latest, blocked, reports } = listen(playing())
    await pass(3_000)
    latest().emit({ type: 'blocked' })
    await pass(250)
    expect(blocked).toEqual([true])
    expect(reports.at(-1)).toMatchObject({ cause: 'blocked' })
    const before = latest().calls.length
    latest().emit({ type: 'unblocked' })
    await pass(0)
    expect(blocked).toEqual([true, false])
    expect(latest().calls.slice(before)).toEqual(['play'])
  })

  it('17.95 is loaded again after an error, which is known until then', async () => {
    const { latest, failed } = listen(playing())
    await pass(3_000)
    latest().emit({ type: 'error', message: 'network' })
    expect(failed).toEqual([true])
    await pass(5_000)
    latest().emit({ type: 'status', status: 'playing' })
    expect(failed).toEqual([true, false])
    expect(latest().calls.filter((call) => call.startsWith('load'))).toHaveLength(2)
  })

  it('17.333 is not loaded again once it plays, or once another track is loaded', async () => {
    const { latest, change, failed } = listen(playing())
    await pass(3_000)
    latest().emit({ type: 'error', message: 'network' })
    latest().emit({ type: 'status', status: 'playing' })
    await pass(6_000)
    const loads = () => latest().calls.filter((call) => call.startsWith('load'))
    latest().emit({ type: 'error', message: 'broken' })
    change({ timeline: makeTimeline({ ...playing(), trackId: 'next', sequenceNumber: 300 }) })
    await pass(6_000)
    expect(loads()).toHaveLength(2)
    expect(failed).toEqual([true, false, true, false])
  })
})

it('plays only one source', async () => {
  const { players, change } = listen(playing())
  await pass(1_000)
  change({ timeline: makeTimeline({ ...playing(), source: 'youtube', sequenceNumber: 300 }) })
  await pass(1_000)
  expect(players.map(({ kind }) => kind)).toEqual(['library', 'video'])
  expect(players[0]?.player.isDisposed).toBe(true)
})

it('is delayed by the nudge of this device', async () => {
  const { latest, state, change } = listen(playing(10_000))
  await pass(2_000)
  change({ nudgeMs: 30 })
  await pass(500)
  const sample = latest().sample()
  const wanted = positionAt(state.timeline, (sample?.atClientMs ?? 0) + offsetMs)
  expect((sample?.positionMs ?? 0) - wanted).toBeCloseTo(-30, 0)
})
