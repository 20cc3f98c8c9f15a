import { describe, expect, it } from 'vitest'
import {
  addReading,
  contextTimeOf,
  emptyAudioClock,
  uncertaintyOf,
  wallTimeOf,
  type AudioClock,
} from './audio-clock.ts'
import recorded from '../../testing/recorded-readings.json' with { type: 'json' }

/** Jitter as recorded from getOutputTimestamp, in ms, without and with a sound server in between. */
const plainJitter = [-0.08, -0.11, -0.09, 0.02, 0, 0.12, 0.09, 0.02, -0.12, -0.02, 0.21, 0.04, 0.01, -0.07]
const serverJitter = [1.05, 0.93, 0.7, 0.52, 0.28, 0.1, -0.12, -0.3, -0.55, -0.7, -0.94, -1.02, 0.9, 0.61]

/** How far the context's own clock is ahead of the output, and its jumps by a device buffer. */
const latencyMs = 45
const renderJitter = [-11, 4, 8, -6, 1, 9, -9, 4]

interface Device {
  offsetMs: number
  ppm: number
  jitter: number[]
  /** An error of the output timestamps that the sound does not share. */
  timestampsOffMs?: number
  latencyMs?: number
}

/** Readings every 100 ms of a context that started at 0. */
function read(device: Device, count: number, clock: AudioClock = emptyAudioClock, from = 1): AudioClock {
  for (let index = from; index < from + count; index++) {
    const contextMs = index * 100
    const jitterMs = device.jitter[index % device.jitter.length] ?? 0
    const soundMs = contextMs * (1 + device.ppm / 1e6) + device.offsetMs
    clock = addReading(clock, {
      contextMs,
      wallMs: soundMs + jitterMs + (device.timestampsOffMs ?? 0),
      renderOffsetMs: soundMs - contextMs - (device.latencyMs ?? latencyMs) + (renderJitter[index % 8] ?? 0),
    })
  }
  return clock
}

const errorAt = (clock: AudioClock, device: Device, contextMs: number) =>
  Math.abs((wallTimeOf(clock, contextMs) ?? NaN) - contextMs * (1 + device.ppm / 1e6) - device.offsetMs)

/** A device with even readings. */
const evenly = (offsetMs: number): Device => ({ offsetMs, ppm: 0, jitter: plainJitter })

/**
 * Runs the clock over the readings of a real page whose sound was recorded. Returns from 1.5 s on, when most pages
 * start to play, how far the clock and the browser's own timestamps were from the recorded sound, ms.
 */
function replay(name: keyof typeof recorded): { clockMs: number[]; timestampsMs: number[] } {
  const { contextMs, offsetMs, renderOffsetMs, soundOffsetMs } = recorded[name]
  let clock = emptyAudioClock
  const errors: { clockMs: number[]; timestampsMs: number[] } = { clockMs: [], timestampsMs: [] }
  contextMs.forEach((atMs, index) => {
    const readMs = offsetMs[index] ?? NaN
    clock = addReading(clock, {
      contextMs: atMs,
      wallMs: atMs + readMs,
      renderOffsetMs: renderOffsetMs[index] ?? NaN,
    })
    const soundMs = soundOffsetMs[index]
    if (atMs < 1_500 || typeof soundMs !== 'number') return
    errors.clockMs.push(Math.abs((wallTimeOf(clock, atMs) ?? NaN) - atMs - soundMs))
    errors.timestampsMs.push(Math.abs(readMs - soundMs))
  })
  return errors
}

describe('the audio clock on recorded readings', () => {
  it.each([
    ['driftsAhead', 20, 6],
    ['driftsBehind', 15, 12],
    ['underruns', 45, 10],
  ] as const)(
    '10.20 follows the sound of %s: timestamps up to %d ms off, the clock less than %d',
    (name, off, most) => {
      const { clockMs, timestampsMs } = replay(name)
      expect(Math.max(...timestampsMs)).toBeGreaterThan(off)
      expect(Math.max(...clockMs)).toBeLessThan(most)
    },
  )

  it('10.20 is as exact as the timestamps of a stream that settled at once', () => {
    const { clockMs } = replay('calm')
    expect(Math.max(...clockMs)).toBeLessThan(1.5)
    expect(Math.max(...clockMs.slice(-100))).toBeLessThan(0.3)
  })
})

describe('the audio clock', () => {
  it('is unusable before its readings span 200 ms', () => {
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
    const started = addReading(emptyAudioClock, { contextMs: 40, wallMs: 4_444, renderOffsetMs: 4_955 })
    expect(errorAt(read(device, 5, started), device, 600)).toBeLessThan(0.2)
  })

  it('ignores a single outlier', () => {
    const device = { offsetMs: 5_000, ppm: 0, jitter: plainJitter }
    const stray = addReading(read(device, 50), { contextMs: 5_050, wallMs: 10_090, renderOffsetMs: 4_955 })
    expect(errorAt(stray, device, 5_100)).toBeLessThan(0.1)
    expect(errorAt(read(device, 10, stray, 51), device, 6_100)).toBeLessThan(0.1)
  })

  it('is not affected by a sound server whose readings drift for some seconds', () => {
    const device = { offsetMs: 5_000, ppm: 50, jitter: plainJitter }
    let clock = read(device, 200)
    for (let index = 201; index <= 260; index++) {
      const wanderMs = 6 * Math.sin(((index - 200) / 60) * Math.PI)
      clock = read({ ...device, timestampsOffMs: wanderMs }, 1, clock, index)
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

  it('17.433 finds a shift of 2.8 ms while nobody looked for 0.4 s', () => {
    let clock = emptyAudioClock
    for (let atMs = 0; atMs < 30_000; atMs += 20) {
      const isUnseen = atMs > 20_000 && atMs < 20_400
      const wallMs = atMs + 5_000 + (atMs > 20_200 ? 2.8 : 0)
      if (!isUnseen)
        clock = addReading(clock, { contextMs: atMs, wallMs, renderOffsetMs: wallMs - atMs - 40 })
    }
    expect(clock.shiftedMs).toBeCloseTo(2.8, 1)
  })

  it('keeps the shift of an underrun though readings drift for some seconds after it', () => {
    const device = { offsetMs: 5_009, ppm: 50, jitter: plainJitter }
    let clock = read({ ...device, offsetMs: 5_000 }, 200)
    const errors: number[] = []
    for (let index = 201; index <= 260; index++) {
      const wanderMs = -4 * Math.sin(((index - 200) / 60) * Math.PI)
      clock = read({ ...device, timestampsOffMs: wanderMs }, 1, clock, index)
      errors.push(errorAt(clock, device, index * 100))
    }
    expect(Math.max(...errors.slice(3))).toBeLessThan(3)
  })

  it('corrects a misread underrun in the end', () => {
    const misread = read({ offsetMs: 5_014, ppm: 0, jitter: plainJitter }, 4, read(evenly(5_000), 80), 81)
    const device = { offsetMs: 5_010, ppm: 0, jitter: plainJitter }
    expect(errorAt(read(device, 150, misread, 85), device, 23_500)).toBeLessThan(0.5)
  })

  it('10.20 ignores timestamps that drift away and stay, though the sound does not move', () => {
    const device = { offsetMs: 5_000, ppm: 0, jitter: plainJitter }
    let clock = read(device, 50)
    for (let index = 51; index <= 100; index++) {
      const timestampsOffMs = Math.min(25, (index - 50) * 0.6)
      clock = read({ ...device, timestampsOffMs }, 1, clock, index)
      expect(errorAt(clock, device, index * 100)).toBeLessThan(1)
    }
    expect(clock.shiftedMs).toBe(0)
  })

  it('10.20 follows the context clock when the timestamps show only half of an underrun', () => {
    const device = { offsetMs: 5_032, ppm: 0, jitter: plainJitter }
    const before = read({ ...device, offsetMs: 5_000 }, 50)
    let after = before
    for (let index = 51; index <= 70; index++) {
      after = read({ ...device, timestampsOffMs: -16 + (index - 50) * 0.3 }, 1, after, index)
    }
    expect(errorAt(after, device, 7_000)).toBeLessThan(5)
  })

  it('10.21 states how exact it is: below 1 ms when settled, some milliseconds while the timestamps drift', () => {
    const device = { offsetMs: 5_000, ppm: 0, jitter: plainJitter }
    const settled = read(device, 200)
    expect(uncertaintyOf(read(device, 1))).toBeNull()
    expect(uncertaintyOf(settled)).toBeLessThan(1)
    let drifting = read({ ...device, offsetMs: 5_030 }, 5)
    for (let index = 6; index <= 50; index++) {
      drifting = read({ ...device, timestampsOffMs: (index - 5) * 0.5 }, 1, drifting, index)
    }
    expect(uncertaintyOf(drifting)).toBeGreaterThan(2)
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
      const renderOffsetMs = 5_000 + jumpMs
      clock = addReading(
        clock,
        { contextMs: index * 100, wallMs: index * 100 + renderOffsetMs, renderOffsetMs },
        true,
      )
    }
    expect(Math.abs((wallTimeOf(clock, 8_000) ?? NaN) - 13_011)).toBeLessThan(3)
  })

  it('ignores a repeated reading', () => {
    const clock = read({ offsetMs: 0, ppm: 0, jitter: [0] }, 5)
    expect(addReading(clock, { contextMs: 500, wallMs: 503, renderOffsetMs: 0 })).toBe(clock)
  })
})
