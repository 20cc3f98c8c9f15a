import { createDelayLine } from '../signal/delay-line.ts'
import { createSmoother } from '../signal/filter.ts'
import { sampleRate, toFrames } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { addMono } from './note.ts'
import type { Random } from '../signal/random.ts'
import type { Instrument } from './note.ts'

interface GuitarString {
  /** Time in which an open low string falls by 60 dB. */
  ringSeconds: number
  /** 0 is gut, 1 is steel. */
  brightness: number
  /** Where it is plucked: 0.5 is the middle, 0.1 near the bridge. */
  pluckPoint: number
}

const dampSeconds = 0.12

/** The displacement of the plucked string: noise, softer when plucked softly, hollowed by where it is plucked. */
function createPluck(period: number, string: GuitarString, velocity: number, random: Random): number[] {
  const soften = createSmoother(900 + 9000 * string.brightness * velocity)
  const noise = Array.from({ length: Math.ceil(period) }, () => soften(random.bipolar()))
  const mean = noise.reduce((sum, sample) => sum + sample, 0) / noise.length
  const offset = Math.round(period * string.pluckPoint)
  return noise.map(
    (sample, index) => sample - mean - (index >= offset ? (noise[index - offset] ?? 0) - mean : 0),
  )
}

/**
 * A plucked string: Karplus and Strong (1983) with the tuning all-pass and the damping of Jaffe and Smith,
 * "Extensions of the Karplus-Strong Plucked-String Algorithm" (1983).
 */
function createGuitar(string: GuitarString): Instrument {
  const blur = 0.5 - 0.42 * string.brightness
  return (out, note, random) => {
    const hertz = toHertz(note.pitch)
    const period = sampleRate / hertz
    const whole = Math.floor(period - blur - 0.2)
    const fraction = period - blur - whole
    const tuning = (1 - fraction) / (1 + fraction)
    const ringSeconds = string.ringSeconds * 2 ** ((52 - note.pitch) / 20)
    const keepRinging = 10 ** (-3 / (hertz * ringSeconds))
    const keepDamped = 10 ** (-3 / (hertz * dampSeconds))
    const pluck = createPluck(period, string, note.velocity, random)
    const line = createDelayLine(whole + 1)
    const held = toFrames(note.seconds)
    const state = { last: 0, input: 0, output: 0 }
    let frame = 0
    addMono(out, note.at, Math.min(note.seconds + dampSeconds, ringSeconds), note.pan ?? 0, () => {
      const delayed = line.read(whole)
      const blurred = (1 - blur) * delayed + blur * state.last
      state.last = delayed
      state.output = tuning * (blurred - state.output) + state.input
      state.input = blurred
      const sample = (pluck[frame] ?? 0) + state.output * (frame < held ? keepRinging : keepDamped)
      line.write(sample)
      frame += 1
      return sample * note.velocity
    })
  }
}

export const steelGuitar = createGuitar({ ringSeconds: 5, brightness: 0.6, pluckPoint: 0.16 })
export const nylonGuitar = createGuitar({ ringSeconds: 3.5, brightness: 0.35, pluckPoint: 0.24 })
export const uprightBass = createGuitar({ ringSeconds: 2.6, brightness: 0.12, pluckPoint: 0.3 })
