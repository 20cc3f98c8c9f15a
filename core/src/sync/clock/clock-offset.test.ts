import { describe, expect, it } from 'vitest'
import { burst, offsetAt, probeAt, symmetric } from '../../testing/clock-probes.ts'
import { createRandom } from '../../testing/random.ts'
import {
  type ClockState,
  addProbe,
  changePath,
  clientTimeAt,
  estimateClock,
  initialClock,
  serverTimeAt,
} from './clock-offset.ts'

describe('the offset to the server’s clock', () => {
  it('4.19b is exact on a symmetric path, however far the clocks are apart', () => {
    for (const offsetMs of [3_600_000, -3_600_000, 0, 12.345]) {
      expect(offsetAt(burst(initialClock, 0, { ...symmetric, offsetMs }), 800)).toBeCloseTo(offsetMs, 6)
    }
  })

  it('is off by half the path’s asymmetry, within the stated uncertainty', () => {
    const state = burst(initialClock, 0, { offsetMs: 1_000, upMs: 10, downMs: 30 })
    const estimate = estimateClock(state, 800)
    expect(estimate.offsetMs).toBeCloseTo(1_000 - 10, 6)
    expect(estimate.rttMs).toBeCloseTo(40, 6)
    expect(estimate.uncertaintyMs).toBeCloseTo(20, 2)
  })

  it('11.2e is usable after 4 probes on a steady path, and after 8 on another', () => {
    expect(estimateClock(initialClock, 0)).toMatchObject({ uncertaintyMs: Infinity, isUsable: false })
    expect(burst(initialClock, 0, symmetric, 3).isUsable).toBe(false)
    expect(burst(initialClock, 0, symmetric, 4).isUsable).toBe(true)
    const random = createRandom(4)
    let state = initialClock
    for (let index = 0; index < 7; index++) {
      const path = { ...symmetric, upMs: 20 + 60 * random(), downMs: 20 + 60 * random() }
      state = probeAt(state, index * 50, path)
    }
    expect(state.isUsable).toBe(false)
    expect(probeAt(state, 400, { ...symmetric, upMs: 60 }).isUsable).toBe(true)
  })

  it('11.2e is not usable from the answers of a stalled connection, which arrive together', () => {
    const afterStall = Array.from({ length: 16 }).reduce<ClockState>((state, _, index) => {
      return probeAt(state, index * 50, { ...symmetric, downMs: 1_000 - index * 50 })
    }, initialClock)
    expect(Math.abs(offsetAt(afterStall, 1_100) - symmetric.offsetMs)).toBeGreaterThan(100)
    expect(afterStall.isUsable).toBe(false)
    const recovered = burst(afterStall, 1_100, symmetric, 3)
    expect(recovered.isUsable).toBe(true)
    expect(offsetAt(recovered, 1_300)).toBeCloseTo(symmetric.offsetMs, 0)
  })

  it('is as good as the sample with the shortest round trip', () => {
    const random = createRandom(5)
    let state = initialClock
    for (let index = 0; index < 16; index++) {
      const isBest = index === 9
      const upMs = isBest ? 12 : 12 + 20 + random() * 200
      state = probeAt(state, index * 50, { offsetMs: 500, upMs, downMs: 12 })
    }
    expect(estimateClock(state, 800)).toMatchObject({ rttMs: 24 })
    expect(offsetAt(state, 10_000)).toBeCloseTo(500, 1)
  })

  it('combines the fastest request and the fastest response of different probes', () => {
    let state = initialClock
    for (let index = 0; index < 16; index++) {
      const [upMs, downMs] = index % 2 === 0 ? [10, 70] : [70, 10]
      state = probeAt(state, index * 50, { offsetMs: 500, upMs, downMs })
    }
    expect(offsetAt(state, 900)).toBeCloseTo(500, 1)
    expect(estimateClock(state, 900).rttMs).toBeCloseTo(80, 6)
  })

  it('falls back to the fastest probe if the bounds do not intersect, but by too little for a jump', () => {
    const quick = burst(initialClock, 0, { offsetMs: 500, upMs: 5, downMs: 5 })
    const state = probeAt(quick, 30_000, { offsetMs: 516, upMs: 4, downMs: 4 })
    expect(state.samples.length).toBeGreaterThan(1)
    expect(offsetAt(state, 60_000)).toBeCloseTo(516, 3)
  })

  it('ignores probes of over 500 ms while there are better ones', () => {
    const state = burst(initialClock, 0, symmetric)
    expect(probeAt(state, 1_000, { ...symmetric, upMs: 490 })).toBe(state)
    const slow = burst(initialClock, 0, { ...symmetric, upMs: 400, downMs: 400 })
    expect(offsetAt(slow, 1_600)).toBeCloseTo(3_600_000, 6)
  })

  it('11.2f ignores a round trip far above the best one: over three times as long, and 50 ms', () => {
    const quick = burst(initialClock, 0, symmetric)
    const takes = (rttMs: number): boolean =>
      probeAt(quick, 2_000, { ...symmetric, upMs: rttMs / 2, downMs: rttMs / 2 }) !== quick
    expect(takes(170)).toBe(true)
    expect(takes(171)).toBe(false)
    const loopback = burst(initialClock, 0, { ...symmetric, upMs: 0.1, downMs: 0.1 })
    expect(probeAt(loopback, 2_000, symmetric)).not.toBe(loopback)
    expect(probeAt(loopback, 2_000, { ...symmetric, upMs: 31 })).toBe(loopback)
  })

  it('accepts a round trip of 500 ms, and ignores one above while there are better ones', () => {
    const quick = burst(initialClock, 0, { ...symmetric, upMs: 150, downMs: 150 })
    const takes = (state: ClockState, rttMs: number): boolean =>
      probeAt(state, 2_000, { ...symmetric, upMs: rttMs / 2, downMs: rttMs / 2 }) !== state
    expect(takes(quick, 500)).toBe(true)
    expect(takes(quick, 501)).toBe(false)
    const slow = burst(initialClock, 0, { ...symmetric, upMs: 250, downMs: 250 })
    expect(takes(slow, 501)).toBe(false)
    expect(takes(burst(initialClock, 0, { ...symmetric, upMs: 250.5, downMs: 250.5 }), 502)).toBe(true)
  })

  it('drops samples after 40 s and keeps at most 64', () => {
    const state = burst(initialClock, 0, symmetric, 80)
    expect(state.samples).toHaveLength(64)
    const later = probeAt(state, 45_000, { ...symmetric, upMs: 25, downMs: 25 })
    expect(later.samples).toHaveLength(1)
    expect(estimateClock(later, 45_100).rttMs).toBeCloseTo(50, 6)
  })

  it('keeps a sample for exactly 40 s', () => {
    const first = probeAt(initialClock, 0, symmetric)
    const [{ atClientMs } = { atClientMs: 0 }] = first.samples
    const returnsAfter = (ms: number): ClockState => probeAt(first, atClientMs + ms - 41, symmetric)
    expect(returnsAfter(40_000).samples).toHaveLength(2)
    expect(returnsAfter(40_001).samples).toHaveLength(1)
  })

  it('prefers a current sample to one half a minute old that is hardly better', () => {
    const state = probeAt(burst(initialClock, 0, symmetric), 30_000, {
      offsetMs: symmetric.offsetMs + 0.2,
      upMs: 20.2,
      downMs: 20.2,
    })
    expect(offsetAt(state, 60_000)).toBeCloseTo(3_600_000.2, 6)
  })

  it('11.2g a new connection’s samples replace those of the path before, once there are 8', () => {
    const before = burst(initialClock, 0, { ...symmetric, upMs: 0, downMs: 30 })
    expect(offsetAt(before, 900)).toBeCloseTo(3_600_000 - 15, 6)
    const moved = changePath(before, 1_000)
    const seven = burst(moved, 1_000, symmetric, 7)
    expect(seven.samples).toHaveLength(23)
    const eight = probeAt(seven, 1_400, symmetric)
    expect(eight.samples).toHaveLength(8)
    expect(offsetAt(eight, 5_000)).toBeCloseTo(3_600_000, 6)
    expect(eight.isUsable).toBe(true)
    const slower = burst(moved, 1_000, { ...symmetric, upMs: 300, downMs: 300 })
    expect(slower.samples).toHaveLength(16)
  })

  it('ignores impossible timestamps', () => {
    const state = burst(initialClock, 0, symmetric)
    const answer = { sentAtMs: 1_000, serverReceivedAtMs: 5, serverSentAtMs: 6, returnedAtMs: 900 }
    expect(addProbe(state, answer)).toBe(state)
    expect(addProbe(state, { ...answer, returnedAtMs: Number.NaN })).toBe(state)
    expect(addProbe(state, { ...answer, returnedAtMs: 1_001, serverSentAtMs: 5_000 })).toBe(state)
  })

  it('converts server time back to client time', () => {
    let state = burst(initialClock, 0, { ...symmetric, skewPpm: 80 })
    state = probeAt(state, 2_000, { ...symmetric, offsetMs: 3_600_018, upMs: 1, downMs: 1 })
    for (const clientMs of [2_010, 3_000, 60_000]) {
      expect(clientTimeAt(state, serverTimeAt(state, clientMs))).toBeCloseTo(clientMs, 5)
    }
  })
})

describe('a change of the offset', () => {
  const settled = burst(initialClock, 0, { ...symmetric, upMs: 60, downMs: 60 })

  it('up to 50 ms is slewed, by 1 ms in 100 ms', () => {
    const state = probeAt(settled, 1_000, { offsetMs: symmetric.offsetMs + 30, upMs: 20, downMs: 20 })
    const fromMs = 1_041
    expect(offsetAt(state, fromMs)).toBeCloseTo(3_600_000, 6)
    expect(offsetAt(state, fromMs + 100)).toBeCloseTo(3_600_001, 6)
    expect(offsetAt(state, fromMs + 1_500)).toBeCloseTo(3_600_015, 6)
    expect(offsetAt(state, fromMs + 3_000)).toBeCloseTo(3_600_030, 6)
    expect(offsetAt(state, fromMs + 9_000)).toBeCloseTo(3_600_030, 6)
  })

  it('by exactly 50 ms is slewed', () => {
    const state = probeAt(settled, 1_000, { offsetMs: symmetric.offsetMs + 50, upMs: 1, downMs: 1 })
    expect(offsetAt(state, 1_003)).toBeCloseTo(3_600_000, 6)
    expect(offsetAt(state, 1_003 + 5_000)).toBeCloseTo(3_600_050, 6)
  })

  it('above 50 ms is a step', () => {
    const state = probeAt(settled, 1_000, { offsetMs: symmetric.offsetMs + 51, upMs: 9, downMs: 9 })
    expect(offsetAt(state, 1_019)).toBeCloseTo(3_600_051, 6)
  })

  it('continues slewing from the current value when another change comes', () => {
    const first = probeAt(settled, 1_000, { offsetMs: symmetric.offsetMs + 30, upMs: 20, downMs: 20 })
    const second = probeAt(first, 2_000, { offsetMs: symmetric.offsetMs + 20, upMs: 10, downMs: 10 })
    expect(offsetAt(second, 2_021)).toBeCloseTo(offsetAt(first, 2_021), 6)
    expect(offsetAt(second, 6_000)).toBeCloseTo(3_600_020, 6)
  })

  it('outside the bounds of the samples means that a clock was set: earlier samples are dropped', () => {
    const state = burst(initialClock, 0, symmetric)
    const jumped = probeAt(state, 1_000, { ...symmetric, offsetMs: symmetric.offsetMs + 7_000, upMs: 80 })
    expect(jumped.samples).toHaveLength(1)
    expect(Math.abs(offsetAt(jumped, 1_101) - 3_607_000)).toBeLessThan(35)
    expect(jumped.isUsable).toBe(true)
  })

  it('seen only by a slow sample is ignored: a clock was set by 13 ms during its round trip', () => {
    const state = burst(initialClock, 0, { offsetMs: 0, upMs: 1, downMs: 1 })
    const held = {
      sentAtMs: 900,
      serverReceivedAtMs: 900 + 1_020,
      serverSentAtMs: 900 + 1_020,
      returnedAtMs: 900 + 1_021 - 13,
    }
    expect(addProbe(state, held)).toBe(state)
  })

  it('below 500 ppm of the elapsed time counts as drift', () => {
    const state = burst(initialClock, 0, { ...symmetric, upMs: 0.5, downMs: 0.5 })
    const later = (changeMs: number): ClockState =>
      probeAt(state, 20_000, { offsetMs: symmetric.offsetMs + changeMs, upMs: 0.5, downMs: 0.5 })
    expect(later(11.4).samples.length).toBeGreaterThan(1)
    expect(later(12.1).samples).toHaveLength(1)
  })

  it('after a jump is a step, until there are 8 samples again', () => {
    const jumped = probeAt(burst(initialClock, 0, symmetric), 1_000, {
      ...symmetric,
      offsetMs: symmetric.offsetMs + 60_000,
      upMs: 60,
    })
    expect(offsetAt(jumped, 1_081)).toBeCloseTo(3_660_000 + 20, 6)
    const better = probeAt(jumped, 1_050, { ...symmetric, offsetMs: symmetric.offsetMs + 60_000 })
    expect(offsetAt(better, 1_091)).toBeCloseTo(3_660_000, 6)
  })
})
