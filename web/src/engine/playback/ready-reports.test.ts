import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listen, pass, playing, serverNow } from '../testing/listen.ts'
import { makeShortTrack, makeTimeline } from '../testing/room-fixtures.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

describe('a cued track', () => {
  it('4.13b is reported as ready once', async () => {
    const { ready, change } = listen({})
    await pass(1_000)
    change({
      timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 101 }),
      track: makeShortTrack('b'),
    })
    expect(ready).toEqual([])
    await pass(3_000)
    expect(ready).toEqual([101])
    change({ timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 102 }) })
    expect(ready).toEqual([101, 102])
  })

  it('16.294 is reported as ready also when it started before it was loaded', async () => {
    const { ready, change } = listen({})
    await pass(1_000)
    change({
      timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 101 }),
      track: makeShortTrack('b'),
    })
    change({ timeline: makeTimeline({ ...playing(), trackId: 'b', sequenceNumber: 201 }) })
    expect(ready).toEqual([])
    await pass(3_000)
    expect(ready).toEqual([101])
  })
})

describe('the track that follows', () => {
  const near = () => playing(40_000)
  const startOf = (trackId: string, inMs: number) =>
    makeTimeline({ ...playing(), atServerMs: serverNow() + inMs, trackId, sequenceNumber: 301 })
  const next = { nextTrack: makeShortTrack('b') }

  it('17.463 is reported once it is loaded, once for each state of the one that plays', async () => {
    const { nextReady, latest, change } = listen(near())
    await pass(2_000)
    change(next)
    await pass(1_500)
    expect(latest().calls).toContain('prepare b, due soon')
    expect(nextReady).toEqual([])
    latest().isPrepared = true
    await pass(1_000)
    expect(nextReady).toEqual(['b after 200'])
    change({ timeline: makeTimeline({ ...near(), sequenceNumber: 301 }) })
    await pass(3_000)
    expect(nextReady).toEqual(['b after 200', 'b after 301'])
  })

  it('17.440 is loaded ahead also while the end is far, in case the current one is skipped', async () => {
    const { nextReady, latest, change } = listen(playing())
    await pass(2_000)
    latest().isPrepared = true
    change(next)
    await pass(5_500)
    expect(latest().calls).toContain('prepare b, due later')
    expect(nextReady).toEqual(['b after 200'])
  })

  it('17.440 is not loaded where the queue changes all the time, nor while the room is paused', async () => {
    const { nextReady, latest, change } = listen(playing())
    await pass(2_000)
    latest().isPrepared = true
    for (const id of ['b', 'c', 'b', 'c', 'b']) {
      change({ nextTrack: makeShortTrack(id) })
      await pass(4_500)
    }
    change({ timeline: makeTimeline({ positionMs: 30_000, sequenceNumber: 300 }) })
    await pass(5_000)
    expect(nextReady).toEqual([])
    expect(latest().calls.filter((call) => call.startsWith('prepare'))).toEqual([])
  })

  it('17.463 waits for nobody who does not hear the room, or cannot play it', async () => {
    const paused = listen(near())
    paused.change({ ...next, isPausedHere: true })
    await pass(2_000)
    expect(paused.nextReady).toEqual(['b after 200'])
    const unable = listen(near())
    await pass(2_000)
    unable.forbid({ b: 'format' })
    unable.change(next)
    await pass(1_500)
    expect(unable.nextReady).toEqual(['b after 200'])
  })

  it('17.464 sounds on until the next one starts, where that start is yet to come, at its end', async () => {
    const { latest, change, reports } = listen(playing(57_800))
    await pass(2_000)
    change({ timeline: startOf('b', 200), track: makeShortTrack('b') })
    expect(latest().calls.at(-1)).toBe('load b at 0, the one before ends')
    expect(reports.at(-1)).toMatchObject({ cause: 'in_sync' })
    await pass(1_000)
    const cue = makeTimeline({ trackId: 'c', isCueing: true, sequenceNumber: 302 })
    change({ timeline: cue, track: makeShortTrack('c') })
    expect(latest().calls.at(-1)).toBe('load c at 0')
  })

  it('17.439 sounds on until the next one starts, and little longer, where it is skipped', async () => {
    const { latest, change } = listen(playing(30_000))
    await pass(2_000)
    change({ timeline: startOf('b', 200), track: makeShortTrack('b') })
    expect(latest().calls.at(-1)).toBe('load b at 0, the one before stops in 350 ms')
  })

  it('17.446 stops at the instant of a pause where the next one is cued', async () => {
    const { latest, change } = listen(playing(30_000))
    await pass(2_000)
    const cue = makeTimeline({
      trackId: 'b',
      isCueing: true,
      sequenceNumber: 300,
      atServerMs: serverNow() - 40,
    })
    change({ timeline: cue, track: makeShortTrack('b') })
    expect(latest().calls.at(-1)).toBe('load b at 0, the one before stops in 110 ms')
    const steppedClock = listen(playing(30_000))
    await pass(2_000)
    const ahead = { ...cue, atServerMs: serverNow() + 5_000 }
    steppedClock.change({ timeline: ahead, track: makeShortTrack('b') })
    expect(steppedClock.latest().calls.at(-1)).toBe('load b at 0')
    const late = listen(playing(30_000))
    await pass(2_000)
    late.change({ timeline: { ...cue, atServerMs: serverNow() - 150 }, track: makeShortTrack('b') })
    expect(late.latest().calls.at(-1)).toBe('load b at 0')
  })

  it('17.446 stops at the instant of a pause, and of Pause here, also while the next one is loaded', async () => {
    const { latest, change } = listen(playing(30_000))
    await pass(2_000)
    change({ timeline: startOf('b', 2_000), track: makeShortTrack('b') })
    await pass(50)
    const at = { trackId: 'b', sequenceNumber: 401, atServerMs: serverNow() - 40 }
    change({ timeline: makeTimeline(at) })
    expect(latest().stopsBeforeInMs.at(-1)).toBe(110)
    const here = listen(playing(30_000))
    await pass(2_000)
    here.change({ timeline: startOf('b', 2_000), track: makeShortTrack('b') })
    here.change({ isPausedHere: true })
    expect(here.latest().stopsBeforeInMs.at(-1)).toBeLessThan(0)
  })

  it('17.446 is silent at once where its start was yet to come when another one was cued', async () => {
    const { latest, change } = listen({ ...playing(), atServerMs: serverNow() + 2_000 })
    await pass(500)
    const cue = { trackId: 'b', isCueing: true, sequenceNumber: 300, atServerMs: serverNow() }
    change({ timeline: makeTimeline(cue), track: makeShortTrack('b') })
    expect(latest().calls.at(-1)).toBe('load b at 0')
  })

  it('17.439 is silent at once where it was paused, and where the next one should sound by now', async () => {
    const paused = listen({ positionMs: 30_000, sequenceNumber: 200 })
    await pass(2_000)
    paused.change({ timeline: startOf('b', 200), track: makeShortTrack('b') })
    expect(paused.latest().calls.at(-1)).toBe('load b at 0')
    const late = listen(playing(30_000))
    await pass(2_000)
    late.change({ timeline: startOf('b', -100), track: makeShortTrack('b') })
    expect(late.latest().calls.at(-1)).toBe('load b at 100')
  })
})
