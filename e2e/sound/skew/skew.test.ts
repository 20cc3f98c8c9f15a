import { describe, expect, it } from 'vitest'
import { recordedRate } from '../recording/recording.ts'
import { measureSkew } from './skew.ts'

/** White noise from a small linear congruential generator: the same every time. */
function makeNoise(samples: number, seed = 1): Float32Array {
  let state = seed
  return Float32Array.from({ length: samples }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
}

describe('the skew between two recordings', () => {
  const noise = makeNoise(recordedRate * 2)

  it.each([5, 37, 100, -12.5])('finds %d ms', (injectedMs) => {
    const shift = Math.round((injectedMs / 1_000) * recordedRate)
    const early = noise.subarray(20_000, 80_000)
    const late = noise.subarray(20_000 - shift, 80_000 - shift)
    const skew = measureSkew(early, late, 500)
    expect(skew.lagMs).toBeCloseTo((shift / recordedRate) * 1_000, 1)
    expect(skew.correlation).toBeGreaterThan(0.9)
  })

  it('has a low correlation where the sounds differ', () => {
    const other = makeNoise(recordedRate * 2, 99)
    expect(measureSkew(noise.subarray(0, 60_000), other.subarray(0, 60_000), 500).correlation).toBeLessThan(
      0.1,
    )
  })
})
