import { describe, expect, it } from 'vitest'
import {
  addReading,
  contextTimeOf,
  emptyAudioClock,
  examinedReading,
  findUnderrun,
  wallTimeOf,
  type AudioClock,
} from './audio-clock.ts'

/** Jitter as recorded from getOutputTimestamp, in ms, without and with a sound server in between. */
const plainJitter = [-0.08, -0.11, -0.09, 0.02, 0, 0.12, 0.09, 0.02, -0.12, -0.02, 0.21, 0.04, 0.01, -0.07]
const serverJitter = [1.05, 0.93, 0.7, 0.52, 0.28, 0.1, -0.12, -0.3, -0.55, -0.7, -0.94, -1.02, 0.9, 0.61]

interface Device {
  offsetMs: number
  ppm: number
  jitter: number[]
}

/** Readings every 100 ms of a context that started at 0. */
function read(device: Device, count: number, clock: AudioClock = emptyAudioClock, from = 1): AudioClock {
  for (let index = from; index < from + count; index++) {
    const contextMs = index * 100
    const jitterMs = device.jitter[index % device.jitter.length] ?? 0
    const wallMs = contextMs * (1 + device.ppm / 1e6) + device.offsetMs + jitterMs
    clock = addReading(clock, { contextMs, wallMs })
  }
  return clock
}

const errorAt = (clock: AudioClock, device: Device, contextMs: number) =>
  Math.abs((wallTimeOf(clock, contextMs) ?? NaN) - contextMs * (1 + device.ppm / 1e6) - device.offsetMs)

/** A device with even readings. */
const evenly = (offsetMs: number): Device => ({ offsetMs, ppm: 0, jitter: plainJitter })

describe('the audio clock', () => {
  it('is unusable before three readings', () => {
    const device = { offsetMs: 1_000, ppm: 0, jitter: [0] }
    expect(wallTimeOf(read(device, 2), 500)).toBeNull()
    expect(contextTimeOf(read(device, 2), 1_500)).toBeNull()
    expect(contextTimeOf(read(device, 3), 1_500)).toBeCloseTo(500)
  })

  it('smooths the jitter of readings below a tenth of a millisecond', () => {
    const device = { offsetMs: 1.795e12, ppm: 35, jitter: plainJitter }
    expect(errorAt(read(device, 120), device, 12_100)).toBeLessThan(0.1)
  })

  it('follows a device that drifts, through the jitter of a sound server', () => {
    const device = { offsetMs: 5_000, ppm: 120, jitter: serverJitter }
    const clock = read(device, 600)
    expect(errorAt(clock, device, 60_000)).toBeLessThan(1)
    expect(errorAt(clock, device, 60_300)).toBeLessThan(1)
  })

  it('is its own inverse', () => {
    const clock = read({ offsetMs: 5_000, ppm: 120, jitter: serverJitter }, 100)
    expect(contextTimeOf(clock, wallTimeOf(clock, 9_876.5) ?? NaN)).toBeCloseTo(9_876.5, 6)
  })

  it('discards a first reading that the others contradict', () => {
    const device = { offsetMs: 5_000, ppm: 0, jitter: plainJitter }
    const started = addReading(emptyAudioClock, { contextMs: 40, wallMs: 4_444 })
    expect(errorAt(read(device, 5, started), device, 600)).toBeLessThan(0.2)
  })

  it('ignores a single outlier', () => {
    const device = { offsetMs: 5_000, ppm: 0, jitter: plainJitter }
    const stray = addReading(read(device, 50), { contextMs: 5_050, wallMs: 10_090 })
    expect(errorAt(stray, device, 5_100)).toBeLessThan(0.1)
    expect(errorAt(read(device, 10, stray, 51), device, 6_100)).toBeLessThan(0.1)
  })

  it('is not affected by a sound server whose readings drift for some seconds', () => {
    const device = { offsetMs: 5_000, ppm: 50, jitter: plainJitter }
    let clock = read(device, 200)
    for (let index = 201; index <= 260; index++) {
      const wanderMs = 6 * Math.sin(((index - 200) / 60) * Math.PI)
      clock = read({ ...device, offsetMs: 5_000 + wanderMs }, 1, clock, index)
      expect(errorAt(clock, device, index * 100)).toBeLessThan(0.5)
    }
  })

  it('adopts an underrun within three readings', () => {
    const before = { offsetMs: 5_000, ppm: 0, jitter: plainJitter }
    const after = { ...before, offsetMs: 5_021 }
    expect(errorAt(read(after, 3, read(before, 80), 81), after, 8_400)).toBeLessThan(0.3)
  })

  it('follows several underruns in a row, as soon as each is confirmed', () => {
    const device = { offsetMs: 5_041, ppm: 0, jitter: plainJitter }
    const before = read({ ...device, offsetMs: 5_000 }, 80)
    const stumbling = [5_010, 5_022].reduce(
      (clock, offsetMs, index) => read({ offsetMs, ppm: 0, jitter: [0] }, 1, clock, 81 + index),
      before,
    )
    const shown = read(device, 1, stumbling, 83)
    expect(errorAt(shown, { ...device, offsetMs: 5_010 }, 8_300)).toBeLessThan(0.3)
    expect(errorAt(read(device, 2, shown, 84), device, 8_500)).toBeLessThan(0.5)
  })

  it('keeps the shift of an underrun though readings drift for some seconds after it', () => {
    const device = { offsetMs: 5_009, ppm: 50, jitter: plainJitter }
    let clock = read({ ...device, offsetMs: 5_000 }, 200)
    const errors: number[] = []
    for (let index = 201; index <= 260; index++) {
      const wanderMs = -4 * Math.sin(((index - 200) / 60) * Math.PI)
      clock = read({ ...device, offsetMs: 5_009 + wanderMs }, 1, clock, index)
      errors.push(errorAt(clock, device, index * 100))
    }
    expect(Math.max(...errors.slice(3))).toBeLessThan(3)
  })

  it('corrects a misread underrun in the end', () => {
    const misread = read({ offsetMs: 5_014, ppm: 0, jitter: plainJitter }, 4, read(evenly(5_000), 80), 81)
    const device = { offsetMs: 5_010, ppm: 0, jitter: plainJitter }
    expect(errorAt(read(device, 150, misread, 85), device, 23_500)).toBeLessThan(0.5)
  })

  it('resets when the output latency has become shorter', () => {
    const device = { offsetMs: 4_850, ppm: 0, jitter: plainJitter }
    const before = read({ ...device, offsetMs: 5_000 }, 80)
    const after = read(device, 14, before, 81)
    expect(errorAt(after, device, 9_500)).toBeLessThan(0.3)
    expect(Math.abs(after.shiftedMs + 150)).toBeLessThan(5)
  })

  it('reports once by how much the output fell behind', () => {
    const shifts: number[] = []
    let clock = read(evenly(5_000), 80)
    for (let index = 81; index < 120; index++) {
      const next = read(evenly(5_021), 1, clock, index)
      if (next.shiftedMs !== clock.shiftedMs) shifts.push(next.shiftedMs - clock.shiftedMs)
      clock = next
    }
    expect(shifts).toHaveLength(1)
    expect(shifts[0]).toBeCloseTo(21, 0)
  })

  it('does not mistake drift, jitter and corrected outliers for underruns', () => {
    const device = { offsetMs: 5_000, ppm: 120, jitter: serverJitter }
    const clock = read(device, 600)
    expect(clock.shiftedMs).toBe(0)
    const slip = read({ ...device, offsetMs: 4_991 }, 1, clock, 601)
    expect(read(device, 10, slip, 602).shiftedMs).toBe(0)
  })

  it('tolerates the coarse context clock with a wider tolerance', () => {
    let clock = emptyAudioClock
    for (let index = 1; index <= 80; index++) {
      const jumpMs = (index * 7) % 23
      clock = addReading(clock, { contextMs: index * 100, wallMs: index * 100 + 5_000 + jumpMs }, 40)
    }
    expect(Math.abs((wallTimeOf(clock, 8_000) ?? NaN) - 13_011)).toBeLessThan(3)
  })

  it('ignores a repeated reading', () => {
    const clock = read({ offsetMs: 0, ppm: 0, jitter: [0] }, 5)
    expect(addReading(clock, { contextMs: 500, wallMs: 503 })).toBe(clock)
  })
})

/** Readings every 20 ms, each behind an undisturbed output by the given ms. */
const readingsBehind = (...behindMs: number[]) =>
  behindMs.map((behind, index) => ({ contextMs: index * 20, wallMs: index * 20 + 5_000 + behind }))

describe('findUnderrun', () => {
  it('waits until two more readings confirm it', () => {
    expect(findUnderrun(readingsBehind(0, 0, 0, 9), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 0, 9, 9), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 0, 9, 9, 9), 0.8)).toBeCloseTo(9)
  })

  it('reports it once, at the reading that shows it', () => {
    const all = readingsBehind(0, 0.1, 9.1, 9.2, 9)
    expect(findUnderrun(all, 0.8)).toBeCloseTo(9)
    expect(examinedReading(all)).toBe(all[2])
    expect(findUnderrun([...all, ...readingsBehind(0, 0, 0, 0, 0, 9.1).slice(5)], 0.8)).toBe(0)
  })

  it('ignores an outlier that is corrected at once', () => {
    expect(findUnderrun(readingsBehind(0, 0, 9, 9, 0), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 9, 0, 0), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, -9, 0, 0, 0), 0.8)).toBe(0)
  })

  it('ignores drift, and an output that gets ahead', () => {
    expect(findUnderrun(readingsBehind(0, 0.3, 0.6, 0.9, 1.2), 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, -9, -9, -9), 0.8)).toBe(0)
  })

  it('needs a larger shift if readings are far apart or jitter', () => {
    const sparse = readingsBehind(0, 0, 2, 2, 2).map((reading, index) => ({
      contextMs: reading.contextMs + index * 80,
      wallMs: reading.wallMs + index * 80,
    }))
    expect(findUnderrun(sparse, 0.8)).toBe(0)
    expect(findUnderrun(readingsBehind(0, 0, 20, 20, 20), 40)).toBe(0)
  })
})
