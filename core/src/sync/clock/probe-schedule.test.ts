import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { createRandom } from '../../testing/random.ts'
import { addProbe, type ClockState, initialClock } from './clock-offset.ts'
import { type ProbeEvent, type ProbeSchedule, startProbes, stepProbes } from './probe-schedule.ts'

/** A clock measured every 2.5 s for a while, with a delay of 20 ms and up to `jitterMs` in each direction. */
function clockOf(jitterMs: number, seconds: number): ClockState {
  const random = createRandom(2)
  let clock = initialClock
  for (let sentAtMs = 0; sentAtMs < seconds * 1_000; sentAtMs += 2_500) {
    const serverMs = sentAtMs + 20 + random() * jitterMs
    const returnedAtMs = serverMs + 20 + random() * jitterMs
    clock = addProbe(clock, {
      sentAtMs,
      serverReceivedAtMs: serverMs,
      serverSentAtMs: serverMs,
      returnedAtMs,
    })
  }
  return clock
}

const fresh = clockOf(0, 10)
const settled = clockOf(0, 90)
const unsteady = { ...clockOf(60, 90), isSettled: true }

const conditions = (clock: ClockState, random = 0.5) => ({ clock, random })

/** Runs the schedule and returns the times of its probes, relative to the start. */
function runProbes(
  schedule: ProbeSchedule,
  count: number,
  clock = fresh,
  random = () => 0.5,
): { times: number[]; last: ProbeSchedule } {
  const times: number[] = []
  let last = schedule
  while (times.length < count) {
    const nowMs = last.nextAtMs
    const step = stepProbes(last, 'due', nowMs, conditions(clock, random()))
    if (step.isProbeDue) times.push(nowMs)
    last = step.schedule
  }
  return { times, last }
}

const gapsOf = (times: number[]): number[] =>
  times.slice(1).map((atMs, index) => Math.round((atMs - (times[index] ?? 0)) * 1_000) / 1_000)
const burst = Array.from({ length: 15 }, () => 50)

describe('the schedule of clock probes', () => {
  it('11.2a starts with 16 probes 50 ms apart, then one every 2.5 s', () => {
    const { times } = runProbes(startProbes(0, false), 19)
    expect(gapsOf(times)).toEqual([...burst, 2_500, 2_500, 2_500])
  })

  it('11.2a sends 64 more, 120 ms apart, and then one every 625 ms on an unsteady path', () => {
    const { times } = runProbes(startProbes(0, false), 84, unsteady)
    const tail = Array.from({ length: 64 }, () => 120)
    expect(gapsOf(times)).toEqual([...burst, ...tail, 625, 625, 625, 625])
  })

  it('15.52 sends them 60 ms apart while the clock has not settled', () => {
    const unsettled = { ...unsteady, isSettled: false }
    const { times } = runProbes(startProbes(0, false), 82, unsettled)
    const tail = Array.from({ length: 64 }, () => 60)
    expect(gapsOf(times)).toEqual([...burst, ...tail, 625, 625])
  })

  it('11.2b sends one every 5 s on a steady path whose skew is known', () => {
    const { times } = runProbes(startProbes(0, false), 19, settled)
    expect(gapsOf(times).slice(15)).toEqual([5_000, 5_000, 5_000])
  })

  it('11.2c varies each interval by up to 20 %, so that pages do not probe in step', () => {
    const afterBurst = runProbes(startProbes(0, false), 16).last
    const gapsWith = (random: () => number) => gapsOf(runProbes(afterBurst, 3, fresh, random).times)
    expect(gapsWith(() => 0)).toEqual([2_000, 2_000])
    expect(gapsWith(() => 1)).toEqual([3_000, 3_000])
    expect(new Set(gapsWith(createRandom(1))).size).toBe(2)
  })

  it('5.8c, 11.2a sends no more than half of what the server allows, on any path', () => {
    const { points, perMs } = limits.rates.probe
    for (const clock of [initialClock, fresh, settled, unsteady]) {
      const { times } = runProbes(startProbes(0, false), 80, clock)
      const inWindow = times.map(
        (fromMs) => times.filter((atMs) => atMs >= fromMs && atMs < fromMs + perMs).length,
      )
      expect(2 * Math.max(...inWindow)).toBeLessThanOrEqual(points)
    }
  })

  it('4.6a slows down to every 10 s while the tab is hidden and silent', () => {
    const { last } = runProbes(startProbes(0, false), 16)
    const hidden = stepProbes(last, 'hidden', 1_000, conditions(unsteady))
    expect(hidden.isProbeDue).toBe(false)
    const { times } = runProbes(hidden.schedule, 3, fresh)
    expect(times).toEqual([3_250, 13_250, 23_250])
    // Also in the tail of a burst on an unsteady path.
    expect(gapsOf(runProbes(hidden.schedule, 4, unsteady).times)).toEqual([10_000, 10_000, 10_000])
  })

  it('11.2d probes like a visible tab while a hidden one sounds', () => {
    const { last } = runProbes(startProbes(0, false, true), 80, unsteady)
    const hidden = stepProbes(last, 'hidden', last.nextAtMs - 1, conditions(unsteady))
    expect(gapsOf(runProbes(hidden.schedule, 3, unsteady).times)).toEqual([625, 625])
    const silent = stepProbes(hidden.schedule, 'silent', last.nextAtMs - 1, conditions(unsteady))
    expect(gapsOf(runProbes(silent.schedule, 3, unsteady).times)).toEqual([10_000, 10_000])
  })

  it('11.2d does not wait for the long interval when a hidden tab begins to sound', () => {
    const { last } = runProbes(startProbes(0, true), 42)
    const nowMs = last.nextAtMs - 9_000
    const step = stepProbes(last, 'sounding', nowMs, conditions(fresh))
    expect(step).toMatchObject({ isProbeDue: false, schedule: { nextAtMs: nowMs + 2_500 } })
    const due = stepProbes(last, 'sounding', last.nextAtMs - 100, conditions(fresh))
    expect(due.schedule.nextAtMs).toBe(last.nextAtMs)
  })

  it('does nothing before the next one is due', () => {
    const { last } = runProbes(startProbes(0, false), 16)
    expect(stepProbes(last, 'due', last.nextAtMs - 1, conditions(fresh))).toEqual({
      schedule: last,
      isProbeDue: false,
    })
  })

  it.each<ProbeEvent>(['connected', 'visible', 'online'])('bursts again when %s', (event) => {
    const { last } = runProbes(startProbes(0, true), 44)
    const nowMs = last.nextAtMs - 500
    const step = stepProbes(last, event, nowMs, conditions(fresh))
    expect(step).toMatchObject({ isProbeDue: true })
    expect(step.schedule.isHidden).toBe(event !== 'visible')
    expect(gapsOf(runProbes(step.schedule, 15).times)).toEqual(burst.slice(1))
  })

  it('treats a gap of more than 2 s as sleep, and bursts again', () => {
    const { last } = runProbes(startProbes(0, false), 84)
    const onTime = stepProbes(last, 'due', last.nextAtMs + 2_000, conditions(fresh))
    expect(onTime).toMatchObject({ isProbeDue: true, schedule: { burstLeft: 0 } })
    const late = stepProbes(last, 'due', last.nextAtMs + 2_001, conditions(fresh))
    expect(late).toMatchObject({ isProbeDue: true, schedule: { nextAtMs: last.nextAtMs + 2_051 } })
  })
})
