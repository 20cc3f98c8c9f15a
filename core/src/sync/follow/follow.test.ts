import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from '../../testing/fake-player.ts'
import {
  inputOf,
  makeClock,
  nowMs,
  offsetMs,
  runningFor,
  sampleOf,
  settled,
  timelineOf,
} from '../../testing/follow-inputs.ts'
import { initialClock } from '../clock/clock-offset.ts'
import { follow } from './follow.ts'
import { initialFollowHistory } from './follow-state.ts'

describe('the track', () => {
  it('4.19a is loaded if it differs from the loaded one', () => {
    const input = inputOf({
      loadedTrackId: 'other',
      timeline: timelineOf({ isPlaying: false, positionMs: 7_000 }),
    })
    expect(follow(input).action).toEqual({ type: 'load', trackId: 'a', positionMs: 7_000 })
  })

  it('15.143 is loaded again if it has ended and is cued again', () => {
    const again = timelineOf({ isPlaying: false, isCueing: true })
    const ended = sampleOf('ended', 200_000)
    expect(follow(inputOf({ timeline: again, sample: ended })).action).toMatchObject({
      type: 'load',
      positionMs: 0,
    })
    const over = timelineOf({ isPlaying: false, positionMs: 200_000 })
    expect(follow(inputOf({ timeline: over, sample: ended })).action.type).not.toBe('load')
    const waiting = follow(inputOf({ timeline: again, sample: sampleOf('ready', 0) }))
    expect(waiting.action.type).toBe('hold')
  })

  it('4.19a is loaded at the room’s position if it already plays', () => {
    const { action } = follow(inputOf({ loadedTrackId: 'other' }))
    expect(action.type).toBe('load')
    expect(action).toHaveProperty('positionMs', expect.closeTo(60_000, 3))
  })

  it('4.19c is loaded at 0, paused, after a join, and then played at the room’s position', () => {
    const joined = follow(inputOf({ loadedTrackId: null, sample: null }))
    expect(joined.action).toEqual({ type: 'load', trackId: 'a', positionMs: 0 })
    const loading = follow(inputOf({ sample: sampleOf('loading', 0), history: joined.history }))
    expect(loading).toMatchObject({ action: { type: 'hold' }, cause: 'buffering' })
    const ready = follow(inputOf({ history: loading.history }))
    expect(ready.action).toMatchObject({ type: 'play', atClientMs: nowMs + 100 })
    expect(ready.action).toHaveProperty('positionMs', expect.closeTo(60_100, 3))
  })

  it('is paused if the room has none', () => {
    const timeline = timelineOf({ trackId: null, isPlaying: false })
    expect(follow(inputOf({ timeline, sample: sampleOf('playing', 5_000) })).action.type).toBe('pause')
    expect(follow(inputOf({ timeline, sample: sampleOf('paused', 0) })).action.type).toBe('hold')
    expect(follow(inputOf({ timeline, loadedTrackId: null, sample: null })).cause).toBe('paused')
  })
})

describe('a start', () => {
  const scheduled = timelineOf({ atServerMs: nowMs + offsetMs + 500, positionMs: 3_000 })

  it('4.11a is scheduled for its exact instant if the player can schedule', () => {
    const { action } = follow(inputOf({ timeline: scheduled }))
    expect(action).toMatchObject({ type: 'play', positionMs: 3_000 })
    expect(action).toHaveProperty('atClientMs', expect.closeTo(nowMs + 500, 3))
  })

  it('4.11a is called earlier by the player’s latency if it cannot schedule', () => {
    const input = inputOf({ timeline: scheduled, capabilities: capabilitiesOf.element })
    const waiting = follow(input)
    expect(waiting.action.type).toBe('hold')
    expect(waiting.wakeAtMs).toBeCloseTo(nowMs + 500 - 115, 3)
    const due = follow({ ...input, nowMs: waiting.wakeAtMs! + 0.01, history: waiting.history })
    expect(due.action.type).toBe('play')
    expect(due.action).toHaveProperty('positionMs', expect.closeTo(3_000, 1))
    expect(due.action).toHaveProperty('atClientMs', expect.closeTo(nowMs + 500, 1))
  })

  it('uses the latency that was measured on this device', () => {
    const history = {
      ...initialFollowHistory,
      latencies: { ...initialFollowHistory.latencies, start: { meanMs: 320, count: 4 } },
    }
    const input = inputOf({ timeline: scheduled, capabilities: capabilitiesOf.coarseVideo, history })
    expect(follow(input).wakeAtMs).toBeCloseTo(nowMs + 180, 3)
  })

  it('in the past is joined at the position of the room when the player sounds', () => {
    const { action } = follow(inputOf({ capabilities: capabilitiesOf.streaming }))
    expect(action).toMatchObject({ type: 'play', atClientMs: nowMs + 400 })
    expect(action).toHaveProperty('positionMs', expect.closeTo(60_400, 3))
  })

  it('pauses a playing player until then', () => {
    const input = inputOf({
      timeline: scheduled,
      capabilities: capabilitiesOf.fineVideo,
      sample: sampleOf('playing', 90_000),
    })
    const { action, history } = follow(input)
    expect(action).toEqual({ type: 'pause', positionMs: 3_000, atClientMs: nowMs })
    const next = follow({ ...input, history, sample: sampleOf('playing', 90_000, nowMs + 1) })
    expect(next.action.type).toBe('hold')
    expect(next.wakeAtMs).toBeCloseTo(nowMs + 300, 3)
  })

  it.each([
    [null, 'hold'],
    [200_000, 'play'],
  ])(
    'is not repeated for a player that has ended a track of unknown duration (%d ms: %s)',
    (durationMs, type) => {
      const input = inputOf({ timeline: runningFor(60_000, { durationMs }) })
      const { action, history } = follow(input)
      expect(action.type).toBe('play')
      const atMs = nowMs + 10_000
      const ended = sampleOf('ended', 50_000, atMs)
      expect(follow({ ...input, nowMs: atMs, sample: ended, history }).action.type).toBe(type)
    },
  )

  it('is repeated after at least 2 s or the cooldown', () => {
    for (const [kind, waitMs] of [
      ['library', 2_000],
      ['element', 2_000],
      ['streaming', 10_000],
    ] as const) {
      const input = inputOf({ capabilities: capabilitiesOf[kind] })
      const { action, history } = follow(input)
      const soundsAtMs = (action as { atClientMs: number }).atClientMs
      const askedAt = (nowMs: number): string =>
        follow({ ...input, nowMs, sample: sampleOf('paused', 0, nowMs), history }).action.type
      expect(askedAt(soundsAtMs + waitMs - 1)).toBe('hold')
      expect(askedAt(soundsAtMs + waitMs)).toBe('play')
    }
  })

  it('is repeated a limited number of times if the player does not start', () => {
    let history = initialFollowHistory
    const playedAtMs: number[] = []
    for (let turn = 0; turn < 4 * 120; turn++) {
      const atMs = nowMs + turn * 250
      const input = inputOf({ nowMs: atMs, sample: sampleOf('paused', 0, atMs), history })
      const outcome = follow(input)
      history = outcome.history
      if (outcome.action.type === 'play') playedAtMs.push(atMs)
    }
    expect(playedAtMs.length).toBeGreaterThan(3)
    for (const atMs of playedAtMs) {
      expect(playedAtMs.filter((other) => other >= atMs && other < atMs + 60_000).length).toBeLessThanOrEqual(
        4,
      )
    }
  })
})

describe('an explicit change', () => {
  const playing = { sample: sampleOf('playing', 60_000) }
  const following = settled(inputOf({}))

  it('4.20d aligns at once when the listener requests it', () => {
    const input = inputOf({ ...playing, history: following })
    expect(follow(input).action.type).toBe('hold')
    const { action } = follow({ ...input, isAlignRequested: true })
    expect(action).toMatchObject({ type: 'alignAt', atClientMs: nowMs + 100 })
    expect(action).toHaveProperty('positionMs', expect.closeTo(60_100, 3))
  })

  it('4.15 is a seek of the room, at its instant', () => {
    const timeline = timelineOf({ positionMs: 150_000, atServerMs: nowMs + offsetMs + 200 })
    const { action } = follow(inputOf({ ...playing, timeline, history: following }))
    expect(action).toMatchObject({ type: 'alignAt', positionMs: 150_000 })
    expect(action).toHaveProperty('atClientMs', expect.closeTo(nowMs + 200, 3))
  })

  it('is not an equal timeline with another anchor', () => {
    const timeline = runningFor(10_000, { positionMs: 50_000, sequenceNumber: 101, durationMs: 190_000 })
    expect(follow(inputOf({ ...playing, timeline, history: following })).action.type).toBe('hold')
  })

  it('is a clock that was set', () => {
    const stepped = makeClock(offsetMs + 80, nowMs)
    const { action } = follow(inputOf({ ...playing, clock: stepped, history: following }))
    expect(action.type).toBe('alignAt')
    expect(action).toHaveProperty('positionMs', expect.closeTo(60_180, 3))
  })

  it('is a nudge, which delays the device by its amount', () => {
    const { action } = follow(inputOf({ ...playing, nudgeMs: 30, history: following }))
    expect(action.type).toBe('alignAt')
    expect(action).toHaveProperty('positionMs', expect.closeTo(60_070, 3))
  })

  it('to before 0:00 by a nudge delays the start instead', () => {
    const timeline = timelineOf({ atServerMs: nowMs + offsetMs + 500 })
    const { action } = follow(inputOf({ timeline, nudgeMs: 40 }))
    expect(action).toMatchObject({ type: 'play', positionMs: 0 })
    expect(action).toHaveProperty('atClientMs', expect.closeTo(nowMs + 540, 3))
  })
})

describe('an obstacle to playback', () => {
  it.each(['blocked', 'ad'] as const)('%s is reported, without an action', (obstacle) => {
    const outcome = follow(inputOf({ obstacle, sample: sampleOf('playing', 0) }))
    expect(outcome).toMatchObject({ action: { type: 'hold' }, cause: obstacle, errorMs: null })
  })

  it('11.1a a clock without a sample is reported, and nothing sounds however long it takes', () => {
    const timeline = timelineOf({ atServerMs: nowMs - 2_000 })
    let { history } = inputOf({})
    for (const afterMs of [0, 1_000, 10_000, 60_000]) {
      const input = inputOf({ timeline, clock: initialClock, nowMs: nowMs + afterMs, history })
      const outcome = follow(input)
      expect(outcome).toMatchObject({ action: { type: 'hold' }, cause: 'no_clock' })
      history = outcome.history
    }
  })

  it('11.1b waits for a usable clock for at most three seconds after its first sample', () => {
    const clock = makeClock(offsetMs, nowMs, 2)
    const before = follow(inputOf({ clock: initialClock, nowMs: nowMs - 5_000 }))
    const first = follow(inputOf({ clock, history: before.history }))
    expect(first).toMatchObject({ action: { type: 'hold' }, cause: 'no_clock' })
    const late = inputOf({ clock, nowMs: nowMs + 2_999, history: first.history })
    expect(follow(late).action.type).toBe('hold')
    const { action, history } = follow({ ...late, nowMs: nowMs + 3_000 })
    expect(action).toMatchObject({ type: 'play' })
    expect(action).toHaveProperty('positionMs', expect.closeTo(63_100, 3))
    const sample = sampleOf('playing', 63_800, nowMs + 3_800)
    const usable = inputOf({ nowMs: nowMs + 3_800, sample, history })
    expect(follow(usable).action.type).toBe('hold')
  })

  it('of a failed player leads to no action', () => {
    expect(follow(inputOf({ sample: sampleOf('error', 0) })).action.type).toBe('hold')
  })
})

it.each([200, 300])('17.374 a track of %i ms is played from its start', (durationMs) => {
  const timeline = timelineOf({ atServerMs: nowMs + offsetMs + 500, positionMs: 0, durationMs })
  expect(follow(inputOf({ timeline })).action).toMatchObject({ type: 'play', positionMs: 0 })
})

describe('a seek to the end of a track', () => {
  const lengthMs = 200_000
  const timeline = timelineOf({ atServerMs: nowMs + offsetMs + 500, positionMs: lengthMs - 200 })
  const history = settled(inputOf({ sample: sampleOf('playing', 60_000) }))
  const at = (atMs: number, sample = sampleOf('playing', 60_000 + atMs - nowMs, atMs)) =>
    follow(inputOf({ timeline, nowMs: atMs, sample, history }))

  it('17.425 silences what sounds elsewhere, at its instant', () => {
    const before = at(nowMs)
    expect(before.action.type).toBe('hold')
    expect(before.wakeAtMs).toBeCloseTo(nowMs + 500, 3)
    const due = at(nowMs + 501)
    expect(due.action).toMatchObject({ type: 'pause', positionMs: expect.closeTo(lengthMs - 199, 3) })
    const silent = inputOf({
      timeline,
      nowMs: nowMs + 510,
      sample: sampleOf('paused', lengthMs - 199),
      history: due.history,
    })
    expect(follow(silent).action.type).toBe('hold')
  })

  it('17.425 lets a player that plays the end play on', () => {
    expect(at(nowMs + 600, sampleOf('playing', lengthMs - 120, nowMs + 600)).action.type).toBe('hold')
  })
})
