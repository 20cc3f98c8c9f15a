import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { type ProbeEvent, type ProbeSchedule, startProbes, stepProbes } from './clock-offset.ts'

/** Runs the schedule and returns the times of its probes, relative to the start. */
function runProbes(
  schedule: ProbeSchedule,
  count: number,
  startMs = 0,
): { times: number[]; last: ProbeSchedule } {
  const times: number[] = []
  let last = schedule
  while (times.length < count) {
    const nowMs = last.nextAtMs
    const step = stepProbes(last, 'due', nowMs)
    if (step.isProbeDue) times.push(nowMs - startMs)
    last = step.schedule
  }
  return { times, last }
}

describe('the schedule of clock probes', () => {
  it('starts with 16 probes 50 ms apart, then one every 2.5 s', () => {
    const { times } = runProbes(startProbes(0, false), 19)
    expect(times.slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, index) => index * 50))
    expect(times.slice(16)).toEqual([750 + 2_500, 750 + 5_000, 750 + 7_500])
  })

  it('sends a burst at no more than half the rate that the server allows', () => {
    const { points, perMs } = limits.rates.probe
    const { times } = runProbes(startProbes(0, false), 40)
    const inWindow = times.map(
      (fromMs) => times.filter((atMs) => atMs >= fromMs && atMs < fromMs + perMs).length,
    )
    expect(2 * Math.max(...inWindow)).toBeLessThanOrEqual(points)
  })

  it('4.6a slows down to every 10 s while the tab is hidden', () => {
    const { last } = runProbes(startProbes(0, false), 16)
    const hidden = stepProbes(last, 'hidden', 1_000)
    expect(hidden.isProbeDue).toBe(false)
    const { times } = runProbes(hidden.schedule, 3)
    expect(times).toEqual([3_250, 13_250, 23_250])
  })

  it('does nothing before the next one is due', () => {
    const { last } = runProbes(startProbes(0, false), 16)
    expect(stepProbes(last, 'due', last.nextAtMs - 1)).toEqual({
      schedule: last,
      isProbeDue: false,
    })
  })

  it.each<ProbeEvent>(['connected', 'visible', 'online'])('bursts again when %s', (event) => {
    const { last } = runProbes(startProbes(0, true), 20)
    const nowMs = last.nextAtMs - 500
    const step = stepProbes(last, event, nowMs)
    expect(step).toMatchObject({ isProbeDue: true })
    expect(step.schedule).toMatchObject({ burstLeft: 15, nextAtMs: nowMs + 50 })
    expect(step.schedule.isHidden).toBe(event !== 'visible')
  })

  it('treats a gap of more than 2 s as sleep, and bursts again', () => {
    const { last } = runProbes(startProbes(0, false), 20)
    const onTime = stepProbes(last, 'due', last.nextAtMs + 2_000)
    expect(onTime).toMatchObject({ isProbeDue: true, schedule: { burstLeft: 0 } })
    const late = stepProbes(last, 'due', last.nextAtMs + 2_001)
    expect(late).toMatchObject({ isProbeDue: true, schedule: { burstLeft: 15 } })
  })
})
