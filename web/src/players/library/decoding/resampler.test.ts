import { describe, expect, it } from 'vitest'
import { createResampler } from './resampler.ts'

const sine = (frequency: number, rate: number, from: number, length: number) =>
  Float32Array.from({ length }, (_, index) => Math.sin((2 * Math.PI * frequency * (from + index)) / rate))

interface Conversion {
  fromRate: number
  toRate: number
  frequency: number
  firstInputFrame: number
}

/** Resamples two seconds of a sine in packets, from 0.2 s on; returns the signal-to-error ratio too. */
function convertSine({ fromRate, toRate, frequency, firstInputFrame }: Conversion) {
  const firstOutputFrame = Math.round((firstInputFrame / fromRate + 0.2) * toRate)
  const resampler = createResampler({ fromRate, toRate, channels: 1, firstInputFrame, firstOutputFrame })
  const input = sine(frequency, fromRate, firstInputFrame, fromRate * 2)
  const output: number[] = []
  for (let at = 0; at < input.length; at += 960) {
    output.push(...(resampler.push([input.subarray(at, at + 960)])[0] ?? []))
  }
  const ideal = sine(frequency, toRate, firstOutputFrame, output.length)
  const power = ideal.reduce((sum, value) => sum + value ** 2, 0)
  const error = output.reduce((sum, value, index) => sum + (value - (ideal[index] ?? 0)) ** 2, 0)
  return { output, signalToNoiseDb: 10 * Math.log10(power / error) }
}

describe('createResampler', () => {
  it.each([
    { fromRate: 44_100, toRate: 48_000, frequency: 1_000, firstInputFrame: 0 },
    { fromRate: 44_100, toRate: 48_000, frequency: 15_000, firstInputFrame: 1_234_567 },
    { fromRate: 48_000, toRate: 44_100, frequency: 15_000, firstInputFrame: 7 },
    { fromRate: 22_050, toRate: 48_000, frequency: 5_000, firstInputFrame: 0 },
    { fromRate: 96_000, toRate: 48_000, frequency: 15_000, firstInputFrame: 96_000 },
  ])('keeps a sine where it was: $fromRate to $toRate Hz', (conversion) => {
    expect(convertSine(conversion).signalToNoiseDb).toBeGreaterThan(80)
  })

  it("removes frequencies above the lower rate's limit instead of aliasing them", () => {
    const { output } = convertSine({
      fromRate: 96_000,
      toRate: 48_000,
      frequency: 30_000,
      firstInputFrame: 0,
    })
    const steady = output.slice(1_000)
    expect(Math.max(...steady.map(Math.abs))).toBeLessThan(0.001)
  })

  it('yields the same frames wherever a listener began', () => {
    const range = { fromRate: 44_100, toRate: 48_000, channels: 1, firstOutputFrame: 96_000 }
    const whole = createResampler({ ...range, firstInputFrame: 0 })
    const late = createResampler({ ...range, firstInputFrame: 80_000 })
    const early = whole.push([sine(440, 44_100, 0, 100_000)])[0] ?? new Float32Array()
    const joined = late.push([sine(440, 44_100, 80_000, 20_000)])[0] ?? new Float32Array()
    expect(joined.length).toBe(early.length)
    expect(joined).toEqual(early)
  })

  it('flushes the remaining frames at the end', () => {
    const range = { fromRate: 44_100, toRate: 48_000, channels: 2, firstInputFrame: 0, firstOutputFrame: 0 }
    const resampler = createResampler(range)
    const channel = new Float32Array(44_100)
    const pushed = resampler.push([channel, channel])
    const flushed = resampler.flush()
    expect((pushed[0]?.length ?? 0) + (flushed[0]?.length ?? 0)).toBe(48_000)
    expect(flushed).toHaveLength(2)
  })

  it('passes the same rate through untouched', () => {
    const range = { fromRate: 48_000, toRate: 48_000, channels: 1, firstInputFrame: 10, firstOutputFrame: 12 }
    const resampler = createResampler(range)
    expect(resampler.push([Float32Array.of(0.1, 0.2, 0.3)])[0]).toEqual(Float32Array.of(0.3))
    expect(resampler.push([Float32Array.of(0.4)])[0]).toEqual(Float32Array.of(0.4))
  })

  it('starts with silence if the input begins late', () => {
    const range = { fromRate: 48_000, toRate: 48_000, channels: 1, firstInputFrame: 2, firstOutputFrame: 0 }
    expect(createResampler(range).push([Float32Array.of(1)])[0]).toEqual(Float32Array.of(0, 0, 1))
  })
})
