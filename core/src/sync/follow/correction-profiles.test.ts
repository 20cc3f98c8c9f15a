import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from '../../testing/fake-player.ts'
import { correctionProfile } from './correction-profiles.ts'

describe('the profile of a player', () => {
  it.each([
    ['library', 0.5, 8, 1, 500],
    ['element', 2, 80, 1, 2_000],
    ['fineVideo', 40, 500, 1, 3_000],
    ['coarseVideo', 120, 120, 2, 5_000],
    ['streaming', 150, 150, 3, 10_000],
  ] as const)(
    '10.22 of %s has a dead band of %s ms and seeks above %d ms in %d samples, every %d ms',
    (kind, band, above, looks, cooldown) => {
      expect(correctionProfile(capabilitiesOf[kind])).toMatchObject({
        deadBandMs: band,
        seekAboveMs: above,
        seekAfterSamples: looks,
        cooldownMs: cooldown,
      })
    },
  )

  it('assumes a latency of 200 ms for video and 400 ms for streaming before any measurement', () => {
    for (const kind of ['fineVideo', 'coarseVideo'] as const) {
      const latency = { startLatencyMs: 200, seekLatencyMs: 200 }
      expect(correctionProfile(capabilitiesOf[kind])).toMatchObject(latency)
    }
    const streaming = { startLatencyMs: 400, seekLatencyMs: 400 }
    expect(correctionProfile(capabilitiesOf.streaming)).toMatchObject(streaming)
    const scheduled = { startLatencyMs: 0, seekLatencyMs: 0 }
    expect(correctionProfile(capabilitiesOf.library)).toMatchObject(scheduled)
  })

  it.each([
    ['library', 0.15],
    ['element', 0.7],
    ['fineVideo', 15],
  ] as const)('of %s corrects by rate until the error is below %d ms', (kind, leaveBandMs) => {
    expect(correctionProfile(capabilitiesOf[kind])).toMatchObject({ leaveBandMs })
  })

  it('10.23 limits the change of the rate: 0.3 %, 3 %, 5 %', () => {
    expect(correctionProfile(capabilitiesOf.library).rate).toMatchObject({ maxDeviation: 0.003 })
    expect(correctionProfile(capabilitiesOf.element).rate).toMatchObject({ maxDeviation: 0.03 })
    expect(correctionProfile(capabilitiesOf.fineVideo).rate).toMatchObject({ slower: 0.95, faster: 1.05 })
    expect(correctionProfile(capabilitiesOf.streaming).rate).toBeNull()
  })

  it('uses the rates that a video player supports', () => {
    const withRates = (rates: 'any' | 'none' | number[]) =>
      correctionProfile({ ...capabilitiesOf.coarseVideo, rates }).rate
    expect(withRates('any')).toEqual({ kind: 'fixed', slower: 0.95, faster: 1.05 })
    expect(withRates([0.5, 0.9, 1, 1.1, 2])).toEqual({ kind: 'fixed', slower: 0.9, faster: 1.1 })
    expect(withRates([0.25, 0.5, 1, 1.25, 2])).toBeNull()
    expect(withRates([0.95, 1, 1.5])).toBeNull()
    expect(withRates([0.5, 1, 1.05])).toBeNull()
    expect(withRates([1])).toBeNull()
    expect(withRates('none')).toBeNull()
  })
})
