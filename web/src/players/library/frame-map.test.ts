import { describe, expect, it } from 'vitest'
import {
  changeRate,
  frameOfPosition,
  jumpBy,
  planBlock,
  positionAtFrame,
  startFrameMap,
  type FrameMap,
} from './frame-map.ts'

const sampleRate = 48_000

describe('positionAtFrame', () => {
  it('stays at the first frame until the start, then runs at rate 1', () => {
    const line = startFrameMap(10_000, 480)
    expect(positionAtFrame(line, 0)).toBe(480)
    expect(positionAtFrame(line, 10_000)).toBe(480)
    expect(positionAtFrame(line, 10_001)).toBe(481)
  })

  it('stays exact over hours of rate changes', () => {
    let line: FrameMap = startFrameMap(0, 0)
    let expected = 0
    const stepFrames = sampleRate / 4
    const rates = [1.003, 1, 0.997, 1.0012, 1, 0.9991]
    for (let step = 0; step < 4 * 3_600; step++) {
      const rate = rates[step % rates.length] ?? 1
      line = changeRate(line, step * stepFrames, rate)
      if (rate === 1) expected = Math.round(expected)
      expected += rate * stepFrames
      expect(Math.abs(positionAtFrame(line, (step + 1) * stepFrames) - expected)).toBeLessThan(1e-3)
    }
  })

  it('keeps the positions before the latest changes', () => {
    const line = changeRate(changeRate(startFrameMap(0, 0), 1_000, 1.003), 2_000, 0.997)
    expect(positionAtFrame(line, 500)).toBe(500)
    expect(positionAtFrame(line, 1_500)).toBeCloseTo(1_501.5)
    expect(positionAtFrame(line, 3_000)).toBeCloseTo(3_000)
  })
})

describe('changeRate', () => {
  it('returns to whole frames at rate 1, at most half a frame off', () => {
    const nudged = changeRate(startFrameMap(0, 0), 0, 1.0007)
    const steady = changeRate(nudged, 999, 1)
    expect(Number.isInteger(positionAtFrame(steady, 999))).toBe(true)
    expect(Math.abs(positionAtFrame(steady, 999) - positionAtFrame(nudged, 999))).toBeLessThanOrEqual(0.5)
  })

  it('takes effect no earlier than the span it follows', () => {
    const line = changeRate(startFrameMap(5_000, 0), 100, 1.003)
    expect(positionAtFrame(line, 5_000)).toBe(0)
    expect(positionAtFrame(line, 6_000)).toBeCloseTo(1_003)
  })
})

describe('jumpBy', () => {
  it('continues further in the track at the same rate, and keeps earlier positions', () => {
    const line = jumpBy(changeRate(startFrameMap(0, 0), 0, 1.002), 10_000, 441)
    expect(positionAtFrame(line, 9_999)).toBeCloseTo(9_999 * 1.002)
    expect(positionAtFrame(line, 10_000)).toBeCloseTo(10_020 + 441)
    expect(positionAtFrame(line, 20_000)).toBeCloseTo(20_040 + 441)
  })

  it('moves the start of a run that has not begun', () => {
    const line = jumpBy(startFrameMap(5_000, 0), 100, 441)
    expect(positionAtFrame(line, 5_000)).toBe(441)
    expect(positionAtFrame(line, 6_000)).toBe(1_441)
  })
})

describe('frameOfPosition', () => {
  it('is the inverse of the position, by the latest span', () => {
    const line = changeRate(startFrameMap(1_000, 0), 2_000, 1.002)
    for (const frame of [2_000, 2_500, 100_000]) {
      expect(frameOfPosition(line, positionAtFrame(line, frame))).toBeCloseTo(frame, 6)
    }
  })
})

describe('planBlock', () => {
  const block = { startFrame: 1_000, frames: 500 }

  it('schedules a whole block if it is early enough', () => {
    expect(planBlock(startFrameMap(200, 0), block, 900)).toEqual({
      atFrame: 1_200,
      offsetFrames: 0,
      untilFrame: 1_700,
    })
  })

  it('cuts off the part that has passed, and keeps the timing of the rest', () => {
    expect(planBlock(startFrameMap(200, 0), block, 1_300)).toEqual({
      atFrame: 1_300,
      offsetFrames: 100,
      untilFrame: 1_700,
    })
  })

  it('skips a block whose time has passed', () => {
    expect(planBlock(startFrameMap(200, 0), block, 1_700)).toBeNull()
  })

  it('begins inside the block that holds the start of the run', () => {
    expect(planBlock(startFrameMap(200, 1_200), block, 0)).toEqual({
      atFrame: 200,
      offsetFrames: 200,
      untilFrame: 500,
    })
  })

  it('never begins before the block despite rounding at an odd rate', () => {
    const line = changeRate(startFrameMap(0, 0), 48_000, 1.0007)
    const offsets = Array.from({ length: 500 }, (_, index) => {
      const plan = planBlock(line, { startFrame: 48_000 + index * 9_600, frames: 9_600 }, 0)
      return plan?.offsetFrames ?? 0
    })
    expect(Math.min(...offsets)).toBe(0)
  })

  it('leaves neither gap nor overlap between blocks at any rate', () => {
    const line = changeRate(startFrameMap(0, 0), 700, 0.9983)
    const plans = [1_000, 1_500, 2_000].map((startFrame) => planBlock(line, { startFrame, frames: 500 }, 0))
    expect(plans[1]?.atFrame).toBe(plans[0]?.untilFrame)
    expect(plans[2]?.atFrame).toBe(plans[1]?.untilFrame)
  })
})
