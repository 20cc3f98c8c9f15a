import { beforeEach, describe, expect, it } from 'vitest'
import { readLatency, rememberLatency } from './latency-memory.ts'

const speakers = { sampleRate: 48_000, baseLatency: 0.01, sinkId: '' }
const nowMs = 1_795_000_000_000
const dayMs = 24 * 3_600_000
const storageKey = 'outputLatency:v1'

beforeEach(() => localStorage.clear())

describe('the memory of output latencies', () => {
  it('17.90 returns the latency of the device, null for another sink, rate or buffer', () => {
    rememberLatency(speakers, 46, nowMs)
    expect(readLatency(speakers, nowMs)).toBe(46)
    expect(readLatency({ ...speakers, sinkId: 'headset' }, nowMs)).toBeNull()
    expect(readLatency({ ...speakers, sampleRate: 44_100 }, nowMs)).toBeNull()
    expect(readLatency({ ...speakers, baseLatency: 0.02 }, nowMs)).toBeNull()
  })

  it('17.90 keeps the mean of similar streams, and starts anew where another device answers to the name', () => {
    rememberLatency(speakers, 46, nowMs)
    rememberLatency(speakers, 50, nowMs)
    expect(readLatency(speakers, nowMs)).toBeCloseTo(47.2)
    rememberLatency(speakers, 210, nowMs)
    expect(readLatency(speakers, nowMs)).toBe(210)
  })

  it('17.90 forgets after 30 days, and all but the last eight devices', () => {
    rememberLatency(speakers, 46, nowMs)
    expect(readLatency(speakers, nowMs + 29 * dayMs)).toBe(46)
    expect(readLatency(speakers, nowMs + 30 * dayMs)).toBeNull()
    for (let device = 0; device < 8; device += 1) {
      rememberLatency({ ...speakers, sinkId: `sink${device}` }, 30, nowMs)
    }
    expect(readLatency(speakers, nowMs)).toBeNull()
    expect(readLatency({ ...speakers, sinkId: 'sink0' }, nowMs)).toBe(30)
  })

  it.each([
    ['text', 'no JSON'],
    ['an object', '{"device":"x"}'],
    ['entries of other types', '[null, 4, {"device":1}, {"device":"x","latencyMs":"4","atMs":1}]'],
    ['a time in the future', JSON.stringify([{ device: 'x', latencyMs: 4, atMs: nowMs + 1 }])],
  ])('17.90 ignores %s in the storage', (_, stored) => {
    localStorage.setItem(storageKey, stored)
    expect(readLatency(speakers, nowMs)).toBeNull()
    rememberLatency(speakers, 46, nowMs)
    expect(readLatency(speakers, nowMs)).toBe(46)
  })
})
