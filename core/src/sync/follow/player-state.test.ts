import { describe, expect, it } from 'vitest'
import {
  type Latency,
  type Progress,
  initialLatencies,
  isAdvancing,
  updateLatency,
  updateProgress,
} from './player-state.ts'

const watch = (positions: readonly number[], everyMs = 250): Progress =>
  positions.reduce<Progress | null>(
    (progress, positionMs, index) =>
      updateProgress(progress, { positionMs, atClientMs: index * everyMs, status: 'playing' }),
    null,
  )!

it('a player that moves is not stalled', () => {
  expect(watch(Array.from({ length: 40 }, (_, index) => index * 250)).isStalled).toBe(false)
})

it('a player that advances less than 0.5 s in over 2 s is stalled', () => {
  expect(watch(Array.from({ length: 9 }, () => 7_000)).isStalled).toBe(false)
  expect(watch(Array.from({ length: 10 }, () => 7_000)).isStalled).toBe(true)
  expect(watch(Array.from({ length: 10 }, (_, index) => 7_000 + index * 50)).isStalled).toBe(true)
})

it('a stalled player stays stalled until it moves again', () => {
  const stalled = Array.from({ length: 12 }, () => 7_000)
  expect(watch([...stalled, 7_250]).isStalled).toBe(true)
  expect(watch([...stalled, 7_250, 7_500]).isStalled).toBe(false)
})

it('a player that covers less than 40 % of the elapsed time was interrupted', () => {
  const before = { positionMs: 7_000, atClientMs: 1_000, status: 'playing' } as const
  const after = (movedMs: number) =>
    ({ positionMs: 7_000 + movedMs, atClientMs: 1_250, status: 'playing' }) as const
  expect(isAdvancing(before, after(99))).toBe(false)
  expect(isAdvancing(before, after(100))).toBe(true)
  expect(isAdvancing(null, after(0))).toBe(true)
  expect(isAdvancing({ ...before, status: 'paused' }, after(0))).toBe(true)
})

const measureOften = (measuredMs: number, times: number, expectedMs = 200): Latency => {
  let latency = initialLatencies.seek
  for (let time = 0; time < times; time++) {
    latency = updateLatency(latency, measuredMs, latency.meanMs ?? expectedMs)
  }
  return latency
}

describe('the latency of a device', () => {
  it('is the first measurement, then the mean', () => {
    expect(measureOften(260, 1)).toEqual({ meanMs: 260, count: 1 })
    expect(updateLatency({ meanMs: 260, count: 1 }, 300, 260)).toEqual({ meanMs: 280, count: 2 })
  })

  it('follows a device that changes', () => {
    const used = measureOften(260, 20)
    let latency = used
    for (let time = 0; time < 12; time++) latency = updateLatency(latency, 400, latency.meanMs ?? 0)
    expect(latency.meanMs).toBeGreaterThan(390)
  })

  it('is robust against one slow network response', () => {
    expect(updateLatency({ meanMs: 260, count: 5 }, 9_000, 260).meanMs).toBeLessThan(360)
  })

  it('converges to a device that is far slower than expected', () => {
    expect(measureOften(1_500, 12).meanMs).toBeGreaterThan(1_350)
  })

  it('is never negative, and ignores a player that is far ahead', () => {
    expect(measureOften(-20, 3).meanMs).toBe(0)
    expect(measureOften(-600, 3)).toEqual(initialLatencies.seek)
  })
})
