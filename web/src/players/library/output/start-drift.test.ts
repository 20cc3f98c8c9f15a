import { percentile } from '@earshot/core/statistics'
import { expect, it } from 'vitest'
import { addReading, emptyAudioClock, uncertaintyOf, wallTimeOf } from './audio-clock.ts'
import { addToStart, isMeasuredAt, lateAt, latenessAt, newStartDrift } from './start-drift.ts'
import recorded from '../../testing/recorded-drifts.json' with { type: 'json' }

/** How far the browser's timestamps and the clock were from the recorded sound, and the least that the clock stated, ms. */
function replay(name: keyof typeof recorded, fromMs: number) {
  const { contextMs, offsetMs, renderOffsetMs, soundOffsetMs } = recorded[name]
  let clock = emptyAudioClock
  const off: { timestamps: number[]; clock: number[]; beyond: number } = {
    timestamps: [],
    clock: [],
    beyond: 0,
  }
  contextMs.forEach((atMs, index) => {
    const readMs = offsetMs[index] ?? NaN
    const reading = { contextMs: atMs, wallMs: atMs + readMs, renderOffsetMs: renderOffsetMs[index] ?? NaN }
    clock = addReading(clock, reading)
    const soundMs = soundOffsetMs[index]
    if (atMs < fromMs || typeof soundMs !== 'number') return
    const errorMs = Math.abs((wallTimeOf(clock, atMs) ?? NaN) - atMs - soundMs)
    off.timestamps.push(Math.abs(readMs - soundMs))
    off.clock.push(errorMs)
    if (errorMs > (uncertaintyOf(clock) ?? 0)) off.beyond += 1
  })
  return { ...off, shiftedMs: clock.shiftedMs }
}

it.each([
  ['driftsFar', 20],
  ['driftsBack', 2],
  ['driftsLittle', 1],
] as const)(
  '17.150 the clock is within 1 ms of the recorded sound of %s, whose timestamps drift by %d ms after the start',
  (name, drift) => {
    const { timestamps, clock, beyond, shiftedMs } = replay(name, 1_000)
    expect(Math.max(...timestamps)).toBeGreaterThan(drift)
    expect(Math.max(...clock)).toBeLessThan(1)
    expect(percentile(clock, 0.95)).toBeLessThan(0.6)
    expect(beyond / clock.length).toBeLessThan(0.05)
    expect(shiftedMs).toBe(0)
  },
)

it('17.150 the drift ends where PulseAudio corrects it, and is gone after 25 s', () => {
  expect(lateAt(0.1)).toBe(1)
  expect(lateAt(4.03)).toBeLessThan(-3)
  expect(lateAt(4.05)).toBeGreaterThan(-2.2)
  expect([1.26, 2.54, 4.04, 5.54, 7.04, 8.54].every(isMeasuredAt)).toBe(true)
  expect([1, 2, 3.5, 5, 6.3, 8].some(isMeasuredAt)).toBe(false)
  expect(Math.abs(lateAt(25))).toBeLessThan(0.05)
})

/** Readings every 20 ms from 0.1 s on, with an offset by their age in s. */
function readAll(untilS: number, offsetAt: (ageS: number) => number) {
  let start = newStartDrift(30_000)
  for (let ageS = 0.1; ageS < untilS; ageS += 0.02) {
    const contextMs = 30_000 + 1_000 * ageS
    start = addToStart(start, { contextMs, wallMs: contextMs + offsetAt(ageS), renderOffsetMs: 0 })
  }
  return start
}

it('17.150 a stream that was resumed is measured from then on, whatever its clock', () => {
  const start = readAll(2, (ageS) => 5_000 + 3 * lateAt(ageS) + 0.05 * ageS)
  expect(start.errorMs).toBeCloseTo(3, 1)
  expect(latenessAt(start, 31_900)).toBeCloseTo(3 * lateAt(1.9), 0)
  expect(start.uncertaintyMs).toBeLessThan(0.5)
})

it('17.150 a stream that drifts otherwise is left as it is', () => {
  const start = readAll(4, (ageS) => 5_000 + 8 * Math.sin(3 * ageS))
  expect(latenessAt(start, 33_000)).toBe(0)
  expect(start.uncertaintyMs).toBeNull()
})

it('17.150 what was shown before an underrun stays, and nothing is corrected after it', () => {
  const start = readAll(5, (ageS) => 5_000 + (ageS < 4.2 ? 2 * lateAt(ageS) : 26))
  expect(start.endedAtMs).toBeGreaterThan(34_100)
  expect(latenessAt(start, 33_000)).toBeCloseTo(2 * lateAt(3), 1)
  expect(latenessAt(start, 34_900)).toBe(0)
})
