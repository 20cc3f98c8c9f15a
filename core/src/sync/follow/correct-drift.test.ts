import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from '../../testing/fake-player.ts'
import { inputOf, nowMs, offsetMs, runningFor, sampleOf, settled } from '../../testing/follow-inputs.ts'
import { createRandom } from '../../testing/random.ts'
import { addProbe, initialClock } from '../clock/clock-offset.ts'
import { follow } from './follow.ts'
import type { FollowInput } from './follow-state.ts'
import type { PositionSample } from './player-state.ts'

/** Calls `follow` with a playing player that is always this far ahead, and returns the last outcome. */
function watchError(
  input: FollowInput,
  errorMs: number,
  turns: number,
  rest: Partial<PositionSample> = {},
): ReturnType<typeof follow> {
  let history = settled(input)
  let outcome = follow({ ...input, history })
  for (let turn = 1; turn <= turns; turn++) {
    const atMs = nowMs + turn * 250
    const positionMs = 60_000 + turn * 250 + errorMs
    const sample = { ...sampleOf('playing', positionMs, atMs), ...rest }
    outcome = follow({ ...input, nowMs: atMs, sample, history })
    history = outcome.history
    if (outcome.action.type !== 'hold') return outcome
  }
  return outcome
}

describe('what is reported of a steady player', () => {
  it('11.3a includes how far the error may be off: the clock’s bound and the player’s own', () => {
    // Round trips of 10 ms.
    const outcome = watchError(inputOf({}), 0.5, 6)
    expect(outcome).toMatchObject({ cause: 'in_sync' })
    expect(outcome.uncertaintyMs).toBeCloseTo(5, 1)
    expect(watchError(inputOf({}), 0.5, 6, { uncertaintyMs: 3 }).uncertaintyMs).toBeCloseTo(8, 1)
  })

  it('11.3c is that the clock is settling, until its bounds are near where more samples would move them', () => {
    const random = createRandom(6)
    let clock = initialClock
    const causes = Array.from({ length: 64 }, (_, index) => {
      const sentAtMs = nowMs - 64 * 50 + index * 50
      const serverMs = sentAtMs + 20 + 60 * random()
      const stamps = { serverReceivedAtMs: serverMs + offsetMs, serverSentAtMs: serverMs + offsetMs }
      clock = addProbe(clock, { sentAtMs, ...stamps, returnedAtMs: serverMs + 20 + 60 * random() })
      return clock.isUsable ? watchError(inputOf({ clock }), 0.5, 6).cause : 'unusable'
    })
    expect(causes).toContain('no_clock')
    expect(causes.lastIndexOf('no_clock')).toBeLessThan(40)
    expect(causes.at(-1)).not.toBe('no_clock')
  })
})

describe('drift', () => {
  const at = (kind: keyof typeof capabilitiesOf) => inputOf({ capabilities: capabilitiesOf[kind] })

  it.each([
    ['library', 0.4],
    ['element', 1.9],
    ['fineVideo', 39],
    ['coarseVideo', 119],
    ['streaming', 149],
  ] as const)('of %s within its dead band is not corrected (%d ms)', (kind, errorMs) => {
    for (const sign of [-1, 1]) {
      const { action, cause } = watchError(at(kind), sign * errorMs, 12)
      expect(action.type).toBe('hold')
      expect(cause).toBe('in_sync')
    }
  })

  it.each([
    ['library', 1.2, 0.003],
    ['library', 7.9, 0.003],
    ['element', 2.5, 0.01],
    ['element', 9, 0.01],
    ['element', 79, 0.03],
    ['fineVideo', 45, 0.05],
    ['fineVideo', 499, 0.05],
  ] as const)('of %s of %d ms is corrected by a rate change of at most %d', (kind, errorMs, most) => {
    const ahead = watchError(at(kind), errorMs, 6).action
    const behind = watchError(at(kind), -errorMs, 6).action
    expect(ahead.type).toBe('setRate')
    expect(behind.type).toBe('setRate')
    const slowed = 1 - (ahead as { rate: number }).rate
    expect(slowed).toBeGreaterThan(0)
    expect(slowed).toBeLessThanOrEqual(most + 1e-9)
    expect((behind as { rate: number }).rate - 1).toBeCloseTo(slowed, 6)
  })

  it.each([
    ['library', 8.1, 3],
    ['element', 81, 3],
    ['fineVideo', 501, 3],
    ['coarseVideo', 125, 4],
    ['streaming', 155, 5],
  ] as const)('10.22 of %s of %d ms is corrected by a seek at sample %d', (kind, errorMs, looks) => {
    for (const sign of [-1, 1]) {
      expect(watchError(at(kind), sign * errorMs, looks - 1).action.type).not.toBe('alignAt')
      expect(watchError(at(kind), sign * errorMs, looks).action.type).toBe('alignAt')
    }
  })

  it('is not corrected for a single outlier', () => {
    let history = settled(at('library'))
    for (let turn = 1; turn <= 20; turn++) {
      const atMs = nowMs + turn * 250
      const positionMs = 60_000 + turn * 250 + (turn % 5 === 0 ? 400 : 0)
      const sample = sampleOf('playing', positionMs, atMs)
      const outcome = follow({ ...at('library'), nowMs: atMs, sample, history })
      history = outcome.history
      expect(outcome.action.type).toBe('hold')
    }
  })

  it('is reported as a signed error: positive is ahead', () => {
    expect(watchError(at('coarseVideo'), 80, 5).errorMs).toBeCloseTo(80, 3)
    expect(watchError(at('coarseVideo'), -80, 5).errorMs).toBeCloseTo(-80, 3)
  })

  it('is not corrected near the end of the track, or after it', () => {
    const input = inputOf({ timeline: runningFor(199_800), sample: sampleOf('playing', 199_000) })
    expect(follow({ ...input, history: settled(input) }).action.type).toBe('hold')
    const after = inputOf({ timeline: runningFor(230_000), sample: sampleOf('ended', 200_000) })
    expect(follow(after).action.type).toBe('hold')
  })
})

describe('a rate correction of a video', () => {
  it.each([
    [15.5, 'hold'],
    [14.5, 'setRate'],
  ])('that is still %d ms ahead leads to %s', (errorMs, type) => {
    const input = inputOf({ capabilities: capabilitiesOf.fineVideo })
    let history = { ...settled(input), rate: 0.95 }
    let outcome = follow({ ...input, history })
    for (let turn = 1; turn <= 3; turn++) {
      const atMs = nowMs + turn * 250
      const sample = sampleOf('playing', 60_000 + turn * 250 + errorMs, atMs)
      outcome = follow({ ...input, nowMs: atMs, sample, history })
      history = outcome.history
    }
    expect(outcome.action).toEqual(type === 'hold' ? { type } : { type, rate: 1 })
  })
})

describe('after an action', () => {
  it.each([
    ['library', 100],
    ['element', 60],
    ['fineVideo', 200],
    ['coarseVideo', 200],
    ['streaming', 400],
  ] as const)('the error of %s is ignored for its latency of %d ms plus 500 ms', (kind, latencyMs) => {
    const input = inputOf({ capabilities: capabilitiesOf[kind] })
    const playing = { ...input, sample: sampleOf('playing', 60_000), history: settled(input) }
    const { action, history } = follow({ ...playing, isAlignRequested: true })
    expect(action.type).toBe('alignAt')
    const errorAfter = (ms: number): number | null => {
      const atMs = nowMs + ms
      const sample = sampleOf('playing', 60_000 + ms + 70, atMs)
      return follow({ ...input, nowMs: atMs, sample, history }).errorMs
    }
    expect(errorAfter(latencyMs + 499)).toBeNull()
    expect(errorAfter(latencyMs + 500)).toBeCloseTo(70, 3)
  })

  it.each([
    ['library', 500],
    ['element', 2_000],
    ['fineVideo', 3_000],
    ['coarseVideo', 5_000],
    ['streaming', 10_000],
  ] as const)('a correction of %s is followed by the next one after at least %d ms', (kind, ms) => {
    const input = inputOf({ capabilities: capabilitiesOf[kind] })
    const timeline = { ...input.timeline, durationMs: 3_600_000 }
    let history = settled({ ...input, timeline })
    const seeksAtMs: number[] = []
    for (let atMs = nowMs; atMs < nowMs + 30_000; atMs += 10) {
      const sample = sampleOf('playing', 60_000 + atMs - nowMs + 5_000, atMs)
      const outcome = follow({ ...input, timeline, nowMs: atMs, sample, history })
      if (outcome.action.type === 'alignAt') seeksAtMs.push(atMs)
      history = outcome.history
    }
    const [first = 0, second = 0] = seeksAtMs
    expect(second - first).toBeGreaterThanOrEqual(ms)
    // A device that has settled by then waits no longer.
    const settlesMs = { library: 620, element: 0, fineVideo: 0, coarseVideo: 0, streaming: 0 }[kind]
    expect(second - first).toBeLessThanOrEqual(Math.max(ms, settlesMs))
  })
})

describe('the latency of a device', () => {
  /** Starts or seeks a player that is this far ahead once it has settled. */
  function learnFrom(input: FollowInput, errorMs: number) {
    const outcome = follow(input)
    let { history } = outcome
    for (let turn = 4; turn <= 6; turn++) {
      const atMs = nowMs + turn * 250
      const sample = sampleOf('playing', 60_000 + turn * 250 + errorMs, atMs)
      history = follow({ ...input, nowMs: atMs, sample, isAlignRequested: false, history }).history
    }
    return { action: outcome.action.type, latencies: history.latencies }
  }
  const unknown = { meanMs: null, count: 0 }

  it('is measured from the error after an action, separately for starts and seeks', () => {
    const input = inputOf({ capabilities: capabilitiesOf.coarseVideo })
    expect(learnFrom(input, -60)).toEqual({
      action: 'play',
      latencies: { start: { meanMs: 260, count: 1 }, seek: unknown },
    })
    const playing = { ...input, sample: sampleOf('playing', 60_000), history: settled(input) }
    expect(learnFrom({ ...playing, isAlignRequested: true }, 40)).toEqual({
      action: 'alignAt',
      latencies: { start: unknown, seek: { meanMs: 160, count: 1 } },
    })
  })

  it('is not measured for a player that can schedule', () => {
    const { latencies } = learnFrom(inputOf({}), -20)
    expect(latencies).toEqual({ start: unknown, seek: unknown })
  })
})

describe('a player whose seeks do not reduce the error', () => {
  const input = inputOf({ capabilities: capabilitiesOf.coarseVideo })
  const timeline = { ...input.timeline, durationMs: 3_600_000 }

  /** Plays on with a player that stays this far behind, despite all corrections, for some minutes. */
  function watchStubborn(
    errorMs: number,
    {
      kind = 'coarseVideo' as keyof typeof capabilitiesOf,
      from = settled(input),
      atMs: startMs = nowMs,
      minutes = 10,
    } = {},
  ) {
    const capabilities = capabilitiesOf[kind]
    let history = from
    const seeksAtMs: number[] = []
    const untilMs = startMs + minutes * 60_000
    for (let atMs = startMs; atMs < untilMs; atMs += 250) {
      const sample = sampleOf('playing', 60_000 + atMs - nowMs + errorMs, atMs)
      const outcome = follow({ ...input, capabilities, timeline, nowMs: atMs, sample, history })
      if (outcome.action.type === 'alignAt') seeksAtMs.push(atMs - nowMs)
      history = outcome.history
    }
    return { seeksAtMs, bandScale: history.bandScale, next: { from: history, atMs: untilMs } }
  }

  it('gets a doubled dead band after three seeks, and is not corrected within it', () => {
    const { seeksAtMs, bandScale } = watchStubborn(-200)
    expect(bandScale).toBe(2)
    expect(seeksAtMs).toHaveLength(3)
  })

  it('gets it doubled again, and never seeks more than three times a minute', () => {
    const { seeksAtMs, bandScale } = watchStubborn(-400)
    expect(bandScale).toBe(4)
    expect(seeksAtMs).toHaveLength(6)
    expect(seeksAtMs[3]! - seeksAtMs[0]!).toBeGreaterThanOrEqual(60_000)
  })

  it('15.145 gets its dead band back, half of it after each minute in which it needed no more', () => {
    const wide = watchStubborn(-400, { minutes: 3 })
    const calm = watchStubborn(-100, { ...wide.next, minutes: 1.5 })
    expect(calm).toMatchObject({ bandScale: 2, seeksAtMs: [] })
    const calmer = watchStubborn(-100, { ...calm.next, minutes: 1 })
    expect(calmer).toMatchObject({ bandScale: 1, seeksAtMs: [] })
    expect(watchStubborn(-200, { ...calmer.next, minutes: 1 }).seeksAtMs.length).toBeGreaterThan(0)
  })

  it.each([
    ['coarseVideo', -200, 2],
    ['coarseVideo', -500, 8],
    ['streaming', -1_000, 8],
  ] as const)('15.145 is tried again once in ten minutes: %s at %d ms', (kind, errorMs, bandScale) => {
    const stubborn = watchStubborn(errorMs, { kind })
    const hour = watchStubborn(errorMs, { ...stubborn.next, kind, minutes: 50 })
    expect([stubborn.bandScale, hour.bandScale]).toEqual([bandScale, bandScale])
    expect(hour.seeksAtMs).toHaveLength(5)
    const gaps = hour.seeksAtMs.slice(1).map((atMs, index) => atMs - hour.seeksAtMs[index]!)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(600_000)
  })

  it('15.145 gets its dead band back at once with an explicit change', () => {
    const { from: history, atMs } = watchStubborn(-400, { minutes: 3 }).next
    const sample = sampleOf('playing', 60_000 + atMs - nowMs - 400, atMs)
    const aligned = follow({ ...input, timeline, nowMs: atMs, sample, history, isAlignRequested: true })
    expect(aligned.action.type).toBe('alignAt')
    expect(aligned.history.bandScale).toBe(1)
  })
})
