import { describe, expect, it } from 'vitest'
import { type Latency, updateLatency, initialLatencies } from './seek-latency.ts'

const measureOften = (measuredMs: number, times: number, expectedMs = 200): Latency => {
  let latency = initialLatencies.seek
  for (let time = 0; time < times; time++) {
    latency = updateLatency(latency, measuredMs, latency.meanMs ?? expectedMs)
  }
  return latency
}

describe('the time that a device takes', () => {
  it('is what was first measured, and then the mean', () => {
    expect(measureOften(260, 1)).toEqual({ meanMs: 260, count: 1 })
    expect(updateLatency({ meanMs: 260, count: 1 }, 300, 260)).toEqual({ meanMs: 280, count: 2 })
  })

  it('follows a device that changes', () => {
    const used = measureOften(260, 20)
    let latency = used
    for (let time = 0; time < 12; time++) latency = updateLatency(latency, 400, latency.meanMs ?? 0)
    expect(latency.meanMs).toBeGreaterThan(390)
  })

  it('is not thrown by one slow answer of the network', () => {
    expect(updateLatency({ meanMs: 260, count: 5 }, 9_000, 260).meanMs).toBeLessThan(360)
  })

  it('reaches a device that is far slower than expected', () => {
    expect(measureOften(1_500, 12).meanMs).toBeGreaterThan(1_350)
  })

  it('is never negative, and a player that is far ahead says nothing about it', () => {
    expect(measureOften(-20, 3).meanMs).toBe(0)
    expect(measureOften(-600, 3)).toEqual(initialLatencies.seek)
  })
})
