import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addProbe, estimateClock, initialClock } from '../sync/clock/clock-offset.ts'
import { createRandom } from './random.ts'

const offsetMs = 3_600_000
const startMs = 1_795_000_000_000

interface CoarseClock {
  stepMs: number
  /** Rounds at a random instant of each step, as Firefox does, instead of always down. */
  isFuzzy: boolean
}

/** Probes over a path of a round trip, as the page does: 16 quickly, then one every 2.5 s. Times in ms. */
function probe({ stepMs, isFuzzy }: CoarseClock, rttMs: number, seed: number) {
  const random = createRandom(seed)
  const midpoints = new Map<number, number>()
  const read = (ms: number): number => {
    const step = Math.floor(ms / stepMs)
    const midpoint = midpoints.get(step) ?? (isFuzzy ? random() : 1)
    midpoints.set(step, midpoint)
    return (ms / stepMs - step >= midpoint ? step + 1 : step) * stepMs
  }
  let clock = initialClock
  let atMs = startMs
  for (let count = 1; count <= 120; count += 1, atMs += count <= 16 ? 50 : 2_500) {
    const sentMs = atMs + 4 * random()
    const serverMs = sentMs + rttMs * (0.45 + 0.1 * random()) + offsetMs
    const stamps = { serverReceivedAtMs: serverMs, serverSentAtMs: serverMs, stepMs }
    clock = addProbe(clock, { sentAtMs: read(sentMs), ...stamps, returnedAtMs: read(sentMs + rttMs) })
  }
  const { offsetMs: measuredMs, uncertaintyMs, isUsable } = estimateClock(clock, atMs)
  return { jumps: clock.jumps, isUsable, uncertaintyMs, errorMs: Math.abs(measuredMs - offsetMs) }
}

it('16.280 a clock that shows every 17th or 100th millisecond only never seems to have been set, and is bounded', () => {
  const paths = fc.record({
    stepMs: fc.constantFrom(1, 5, 16.667, 100),
    isFuzzy: fc.boolean(),
    rttMs: fc.double({ min: 0.3, max: 60, noNaN: true }),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  fc.assert(
    fc.property(paths, ({ rttMs, seed, ...coarse }) => {
      const { jumps, isUsable, errorMs, uncertaintyMs } = probe(coarse, rttMs, seed)
      expect({ jumps, isUsable }).toEqual({ jumps: 0, isUsable: true })
      expect(errorMs).toBeLessThanOrEqual(uncertaintyMs)
    }),
    { numRuns: 400, seed: 1 },
  )
})
