import { describe, expect, it } from 'vitest'
import {
  addPosition,
  changePlayheadRate,
  playheadAt,
  startPlayhead,
  type Playhead,
} from './element-playhead.ts'

/** Readings of an element that counts by buffers of 10 ms, 15 to 35 ms apart. */
function read(head: Playhead, fromMs: number, untilMs: number, trueAt: (atMs: number) => number): Playhead {
  const readings = Array.from(
    { length: Math.floor((untilMs - fromMs) / 25) },
    (_, index) => fromMs + index * 25 + 10 * ((index * 0.618) % 1),
  )
  return readings.reduce((known, atMs) => addPosition(known, atMs, stepped(trueAt(atMs))), head)
}

/** Each step reports the middle of its buffer. */
const stepped = (positionMs: number) => Math.floor(positionMs / 10) * 10 + 5

const errorAt = (head: Playhead, atMs: number, trueAt: (atMs: number) => number) =>
  Math.abs(playheadAt(head, atMs) - trueAt(atMs))

describe('the playhead', () => {
  it('extrapolates from the start before any reading', () => {
    expect(playheadAt(startPlayhead(1_000, 5_000, 1), 1_250)).toBe(5_250)
  })

  it('interpolates between the steps', () => {
    const trueAt = (atMs: number) => 7_003 + atMs
    const head = read(startPlayhead(0, 7_000, 1), 0, 600, trueAt)
    expect(errorAt(head, 600, trueAt)).toBeLessThan(1)
    expect(errorAt(read(head, 600, 3_000, trueAt), 3_200, trueAt)).toBeLessThan(0.7)
  })

  it('follows a change of rate exactly', () => {
    const trueAt = (atMs: number) => (atMs < 2_000 ? atMs : 2_000 + (atMs - 2_000) * 1.01)
    const started = read(startPlayhead(0, 0, 1), 0, 2_000, trueAt)
    const head = read(changePlayheadRate(started, 2_000, 1.01), 2_000, 6_000, trueAt)
    expect(errorAt(head, 6_200, trueAt)).toBeLessThan(0.7)
  })

  it('follows a device whose clock drifts from this one', () => {
    const trueAt = (atMs: number) => atMs * (1 + 200e-6)
    expect(errorAt(read(startPlayhead(0, 0, 1), 0, 60_000, trueAt), 60_000, trueAt)).toBeLessThan(0.7)
  })

  it('ignores a single outlier', () => {
    const head = read(startPlayhead(0, 0, 1), 0, 2_000, (atMs) => atMs)
    expect(playheadAt(addPosition(head, 2_010, 1_950), 2_020)).toBe(playheadAt(head, 2_020))
  })

  it('follows a device that stopped for a moment', () => {
    const trueAt = (atMs: number) => (atMs < 2_000 ? atMs : atMs - 80)
    const head = read(startPlayhead(0, 0, 1), 0, 2_000, trueAt)
    expect(errorAt(read(head, 2_000, 2_700, trueAt), 2_700, trueAt)).toBeLessThan(1.5)
  })
})
