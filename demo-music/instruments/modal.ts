import { createFilter } from '../signal/filter.ts'
import { createDecay } from '../signal/envelope.ts'
import { sampleRate } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { addMono, addStereo, panGains } from './note.ts'
import type { Instrument } from './note.ts'

/** One ringing frequency: `seconds` is the time to fall by 60 dB. */
export interface Mode {
  hertz: number
  gain: number
  seconds: number
}

/** Decaying sines by rotation: two multiplications a frame and mode instead of a sine. */
export function createModes(modes: readonly Mode[]): () => number {
  const rotors = modes
    .filter((mode) => mode.hertz < sampleRate * 0.42)
    .map((mode) => {
      const keep = 10 ** (-3 / (mode.seconds * sampleRate))
      const angle = (2 * Math.PI * mode.hertz) / sampleRate
      return { real: mode.gain, imaginary: 0, cosine: keep * Math.cos(angle), sine: keep * Math.sin(angle) }
    })
  return () => {
    let sum = 0
    for (const rotor of rotors) {
      const real = rotor.real * rotor.cosine - rotor.imaginary * rotor.sine
      rotor.imaginary = rotor.real * rotor.sine + rotor.imaginary * rotor.cosine
      rotor.real = real
      sum += rotor.imaginary
    }
    return sum
  }
}

/** A struck bar or bell. Modes are given as multiples of the pitch, decays for middle C. */
export interface Bar {
  modes: readonly { ratio: number; gain: number; seconds: number }[]
  /** Level, corner in hertz and length in seconds of the knock of the mallet. */
  knock: { level: number; hertz: number; seconds: number }
  /** Whether it is damped when the note ends, or rings on. */
  damped: boolean
  tremolo?: { hertz: number; depth: number }
}

const dampSeconds = 0.2

export function createBar(bar: Bar): Instrument {
  return (out, note, random) => {
    const hertz = toHertz(note.pitch)
    const shortening = 2 ** ((60 - note.pitch) / 24)
    const modes = bar.modes.map((mode) => ({
      hertz: hertz * mode.ratio,
      gain: mode.gain * note.velocity * (mode.ratio > 1.5 ? note.velocity : 1),
      seconds: mode.seconds * shortening,
    }))
    const longest = Math.max(...modes.map((mode) => mode.seconds))
    const seconds = bar.damped ? Math.min(longest, note.seconds + dampSeconds) : longest
    const ring = createModes(modes)
    let frame = 0
    addMono(out, note.at, seconds, note.pan ?? 0, () => {
      const at = frame / sampleRate
      frame += 1
      const damp = bar.damped && at > note.seconds ? 10 ** ((-3 * (at - note.seconds)) / dampSeconds) : 1
      const sway = 1 + (bar.tremolo?.depth ?? 0) * Math.sin(2 * Math.PI * (bar.tremolo?.hertz ?? 0) * at)
      return ring() * damp * sway
    })
    const knock = createDecay(bar.knock.seconds)
    const tone = createFilter('band')
    const place = panGains(note.pan ?? 0)
    addStereo(out, note.at, bar.knock.seconds, (sounding) => {
      const sample = tone(random.bipolar(), bar.knock.hertz, 0.8) * knock() * bar.knock.level * note.velocity
      sounding.left = sample * place.left
      sounding.right = sample * place.right
    })
  }
}
