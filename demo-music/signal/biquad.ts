import { sampleRate } from './stereo.ts'

/** Normalised: a0 is 1. */
export interface BiquadCoefficients {
  b0: number
  b1: number
  b2: number
  a1: number
  a2: number
}

/** Runs one channel through a fixed second-order filter (transposed direct form 2), in place. */
export function filterChannel(channel: Float32Array, coefficients: BiquadCoefficients): void {
  const { b0, b1, b2, a1, a2 } = coefficients
  let first = 0
  let second = 0
  for (let frame = 0; frame < channel.length; frame += 1) {
    const sample = channel[frame] ?? 0
    const result = b0 * sample + first
    first = b1 * sample - a1 * result + second
    second = b2 * sample - a2 * result
    channel[frame] = result
  }
}

export type Band =
  | { kind: 'peak'; hertz: number; decibels: number; q: number }
  | { kind: 'low-shelf'; hertz: number; decibels: number }
  | { kind: 'high-shelf'; hertz: number; decibels: number }
  | { kind: 'low-cut'; hertz: number }
  | { kind: 'high-cut'; hertz: number }

function normalise(
  b0: number,
  b1: number,
  b2: number,
  a0: number,
  a1: number,
  a2: number,
): BiquadCoefficients {
  return { b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0 }
}

/** Robert Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients". */
export function designBand(band: Band): BiquadCoefficients {
  const angle = (2 * Math.PI * band.hertz) / sampleRate
  const cosine = Math.cos(angle)
  const alpha = Math.sin(angle) / (2 * (band.kind === 'peak' ? band.q : Math.SQRT1_2))
  if (band.kind === 'low-cut') {
    const half = (1 + cosine) / 2
    return normalise(half, -2 * half, half, 1 + alpha, -2 * cosine, 1 - alpha)
  }
  if (band.kind === 'high-cut') {
    const half = (1 - cosine) / 2
    return normalise(half, 2 * half, half, 1 + alpha, -2 * cosine, 1 - alpha)
  }
  const gain = 10 ** (band.decibels / 40)
  if (band.kind === 'peak') {
    const wide = alpha * gain
    const narrow = alpha / gain
    return normalise(1 + wide, -2 * cosine, 1 - wide, 1 + narrow, -2 * cosine, 1 - narrow)
  }
  const slope = 2 * Math.sqrt(gain) * alpha
  const turn = band.kind === 'low-shelf' ? 1 : -1
  const up = gain + 1
  const down = turn * (gain - 1) * cosine
  return normalise(
    gain * (up - down + slope),
    turn * 2 * gain * (gain - 1 - turn * up * cosine),
    gain * (up - down - slope),
    up + down + slope,
    turn * -2 * (gain - 1 + turn * up * cosine),
    up + down - slope,
  )
}
