import { renderTrackSound } from '@earshot/provider-doubles/track-sound'
import { describe, expect, it } from 'vitest'
import { medianSkew } from './median-skew.ts'
import { recordedRate } from '../recording/recording.ts'
import { toSounds } from './sounds.ts'

const track = renderTrackSound('spotify:one', 4_000, recordedRate)
const other = renderTrackSound('spotify:two', 4_000, recordedRate)

/** One second of a track, from 1.5 s minus the lag on. */
const heard = (sound: Float32Array, lateMs = 0) => {
  const from = Math.round((1.5 - lateMs / 1_000) * recordedRate)
  return sound.subarray(from, from + recordedRate)
}

describe('the median skew of a second', () => {
  it.each([0, 4, -15, 119, -150, 250, -400, 520])('finds %d ms', (lateMs) => {
    const skew = medianSkew(toSounds([heard(track), heard(track, lateMs)]))
    expect(skew.lagMs).toBeCloseTo(lateMs, 1)
    expect(skew.correlation).toBeGreaterThan(0.6)
  })

  it('finds it where a stutter silenced one of the two for 200 ms', () => {
    const torn = heard(track, 300).slice()
    torn.fill(0, 0.3 * recordedRate, 0.5 * recordedRate)
    expect(medianSkew(toSounds([heard(track), torn])).lagMs).toBeCloseTo(300, 1)
  })

  it('has a low correlation where the sounds differ, or one is silent', () => {
    expect(medianSkew(toSounds([heard(track), heard(other)])).correlation).toBeLessThan(0.15)
    const silent = new Float32Array(recordedRate)
    expect(medianSkew(toSounds([heard(track), silent])).correlation).toBeLessThan(0.15)
  })
})
