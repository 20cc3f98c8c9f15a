import { describe, expect, it } from 'vitest'
import { renderTrackSound, renderTrackWav } from './track-sound.ts'

describe('the sound of a track', () => {
  it('is the same every time, in whole and in parts', () => {
    const short = renderTrackSound('one', 1_500, 8_000)
    expect(short).toHaveLength(12_000)
    const whole = renderTrackSound('one', 4_000, 8_000)
    expect(whole.subarray(0, 12_000)).toEqual(short)
    expect(renderTrackSound('one', 2_000, 8_000, 2)).toEqual(whole.subarray(16_000))
  })

  it('differs between tracks and between positions', () => {
    const one = renderTrackSound('one', 3_000, 8_000)
    expect(correlation(one, renderTrackSound('two', 3_000, 8_000))).toBeLessThan(0.1)
    expect(correlation(one.subarray(0, 8_000), one.subarray(8_000, 16_000))).toBeLessThan(0.1)
    expect(correlation(one, one)).toBeCloseTo(1)
  })

  it('is audible and never clips', () => {
    const peak = renderTrackSound('one', 3_000, 8_000).reduce(
      (max, value) => Math.max(max, Math.abs(value)),
      0,
    )
    expect(peak).toBeGreaterThan(0.05)
    expect(peak).toBeLessThan(0.3)
  })

  it('as a WAV file holds the same samples in 16 bits', () => {
    const file = renderTrackWav('one', 1_000, 8_000)
    const samples = renderTrackSound('one', 1_000, 8_000)
    expect(file.toString('latin1', 0, 4)).toBe('RIFF')
    expect(file.readUInt32LE(24)).toBe(8_000)
    expect(file).toHaveLength(44 + samples.length * 2)
    expect(file.readInt16LE(44 + 2 * 4_321) / 32_767).toBeCloseTo(samples[4_321] ?? 0, 4)
  })
})

function correlation(a: Float32Array, b: Float32Array): number {
  const product = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0)
  return Math.abs(product(a, b)) / Math.sqrt(product(a, a) * product(b, b))
}
