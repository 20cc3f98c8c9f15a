import { percentile } from '@earshot/core/statistics'
import { describe, expect, it } from 'vitest'
import { addReading, newAudioClock, settledLatencyMs, uncertaintyOf, wallTimeOf } from './audio-clock.ts'
import recorded from '../../testing/recorded-starts.json' with { type: 'json' }

/** The latency at which other streams of the recorded pages' device settled. */
const learntMs = 46

/**
 * Runs the clock over the first seconds of a real page whose sound was recorded, with or without a learnt latency.
 * Returns from 1 s on the 95th percentile of its error, ms, and the share of readings that were off by more than the
 * bound it stated.
 */
function replay(name: keyof typeof recorded, latencyMs: number | null) {
  const { contextMs, offsetMs, renderOffsetMs, soundOffsetMs } = recorded[name]
  let clock = newAudioClock(latencyMs)
  const errors: number[] = []
  let beyond = 0
  contextMs.forEach((atMs, index) => {
    const wallMs = atMs + (offsetMs[index] ?? NaN)
    clock = addReading(clock, { contextMs: atMs, wallMs, renderOffsetMs: renderOffsetMs[index] ?? NaN })
    const soundMs = soundOffsetMs[index]
    if (atMs < 1_000 || typeof soundMs !== 'number') return
    const errorMs = Math.abs((wallTimeOf(clock, atMs) ?? NaN) - atMs - soundMs)
    errors.push(errorMs)
    if (errorMs > (uncertaintyOf(clock) ?? 0)) beyond += 1
  })
  return { p95Ms: percentile(errors, 0.95) ?? NaN, beyond: beyond / errors.length, clock }
}

describe('the first seconds of recorded streams', () => {
  it('17.91 startsEarlier: a learnt latency keeps the clock within 6 ms though its timestamps drift', () => {
    expect(replay('startsEarlier', null).p95Ms).toBeGreaterThan(8)
    expect(replay('startsEarlier', learntMs).p95Ms).toBeLessThan(6)
  })

  it('17.150 startsEarly: within 6 ms, learnt or not, though the output runs dry while its timestamps drift', () => {
    for (const latencyMs of [null, learntMs]) expect(replay('startsEarly', latencyMs).p95Ms).toBeLessThan(6)
  })

  it('17.91 a learnt latency that is far off costs a stream without drift nothing', () => {
    expect(replay('startsCalm', learntMs).p95Ms).toBeLessThan(0.6)
    expect(replay('startsCalm', learntMs + 150).p95Ms).toBeLessThan(0.6)
  })

  it('17.92 the bound that the clock states holds for 90 % of the worst recorded starts, learnt or not', () => {
    for (const name of ['startsEarly', 'startsEarlier', 'startsCalm'] as const) {
      for (const latencyMs of [null, learntMs]) expect(replay(name, latencyMs).beyond).toBeLessThan(0.1)
    }
  })

  it('17.421 the latency of another device of the same name is ignored, or within the stated bound', () => {
    const unknown = replay('startsEarlier', null)
    for (const apartMs of [75, 150]) {
      expect(replay('startsEarlier', learntMs + apartMs).p95Ms).toBeLessThan(1.1 * unknown.p95Ms)
      expect(replay('startsEarlier', learntMs + apartMs).beyond).toBeLessThan(0.1)
    }
    for (const latencyMs of [0, 20, 100]) expect(replay('startsEarlier', latencyMs).beyond).toBeLessThan(0.1)
  })

  it('17.90 a latency is worth learning once it is certain, not while the timestamps drift', () => {
    expect(settledLatencyMs(newAudioClock(null))).toBeNull()
    expect(settledLatencyMs(replay('startsEarly', null).clock)).toBeNull()
    expect(settledLatencyMs(replay('startsCalm', null).clock)).toBeCloseTo(learntMs, 0)
  })
})
