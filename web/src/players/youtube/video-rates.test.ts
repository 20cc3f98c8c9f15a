import { describe, expect, it } from 'vitest'
import { checkRates, initialVideoRates, noteRate, type VideoRates } from './video-rates.ts'

/** Samples a player that was asked for a rate of 1.05, every 250 ms. */
function sample(forMs: number, { statedRate = 1.05, slope = 1.05 }): VideoRates {
  let rates = noteRate(initialVideoRates, 1.05, 0)
  for (let atMs = 250; atMs <= forMs; atMs += 250) {
    rates = checkRates(rates, { atMs, positionMs: atMs * slope, statedRate })
  }
  return rates
}

describe('the rates of a video player', () => {
  it('15.20 are fine where its position advances as fast as it was set', () => {
    expect(sample(2_500, {}).verdict).toBe('unknown')
    expect(sample(3_000, {}).verdict).toBe('fine')
  })

  it('15.20 are of no use where they read back, but have no effect', () => {
    expect(sample(3_000, { slope: 1 }).verdict).toBe('none')
  })

  it('15.20 are of no use where another rate reads back', () => {
    expect(sample(1_000, { statedRate: 1, slope: 1 }).verdict).toBe('unknown')
    expect(sample(1_250, { statedRate: 1, slope: 1 }).verdict).toBe('none')
  })

  it('15.20 are compared anew after an interruption', () => {
    let rates = noteRate(sample(2_500, { slope: 1 }), 1.05, 2_500)
    rates = checkRates(rates, { atMs: 3_000, positionMs: 0, statedRate: 1.05 })
    expect(rates.verdict).toBe('unknown')
  })
})
