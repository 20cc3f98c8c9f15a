import { describe, expect, it } from 'vitest'
import { FrameCount } from './frame-count.ts'

const rate = 48_000
const packet = rate / 50

/** Returns where packets of 20 ms begin by the count, in ms, by the ms that a file states for them. */
function count(statedMs: number[]): number[] {
  const frames = new FrameCount(rate)
  return statedMs.map((ms) => (frames.add((ms * rate) / 1_000, packet) * 1_000) / rate)
}

describe('FrameCount', () => {
  it('17.422 goes on where the file states it behind a gap', () => {
    expect(count([1_000, 1_020, 1_740, 1_760])).toEqual([1_000, 1_020, 1_740, 1_760])
  })

  it('17.424 goes back where packets overlap', () => {
    expect(count([1_000, 1_020, 1_000, 1_020, 1_040])).toEqual([1_000, 1_020, 1_000, 1_020, 1_040])
  })

  it('17.422 finds packets that were lost one by one', () => {
    expect(count([0, 20, 60, 80, 120])).toEqual([0, 20, 60, 80, 120])
    const drifting = Array.from({ length: 100 }, (_, index) => index * 20.5)
    for (const [index, ms] of count(drifting).entries())
      expect(Math.abs(ms - (drifting[index] ?? 0))).toBeLessThan(16)
  })

  it('17.424 counts on where times are rounded or jitter', () => {
    const jitter = [0, -1, 8, 0, -5, 10, -2, 3]
    const statedMs = jitter.map((ms, index) => index * 20 + ms)
    expect(count(statedMs)).toEqual(jitter.map((_, index) => index * 20))
  })

  it('17.424 counts on where times begin anew, and finds a gap behind that', () => {
    expect(count([60_000, 60_020, 0, 20, 740])).toEqual([60_000, 60_020, 60_040, 60_060, 60_780])
  })
})
