import { createEnvelope } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { createOscillator, createSine } from '../signal/oscillator.ts'
import { toHertz } from '../notation/pitch.ts'
import { addStereo, holdValue, panGains } from './note.ts'
import type { EnvelopeShape } from '../signal/envelope.ts'
import type { Wave } from '../signal/oscillator.ts'
import type { Random } from '../signal/random.ts'
import type { Instrument, Note } from './note.ts'

/** A synthesiser sound: oscillators, a low pass that an envelope opens, an amplifier. */
export interface Patch {
  wave: Wave
  pulseWidth?: number
  /** How many oscillators sound together, how far apart (cents from end to end) and how wide (0..1). */
  voices?: number
  detune?: number
  spread?: number
  /** Level of a sine an octave below. */
  sub?: number
  /** Level of white noise. */
  breath?: number
  amplitude: EnvelopeShape
  /** Corner of the low pass in hertz at middle C, its resonance, and the octaves its envelope adds. */
  cutoff: number
  resonance?: number
  sweepOctaves?: number
  sweep?: EnvelopeShape
  /** How much the corner follows the pitch: 1 is fully. */
  tracking?: number
  vibrato?: { hertz: number; cents: number; delay: number }
  glideSeconds?: number
  /** Above 0 it saturates. */
  drive?: number
}

/** Pitch bend and filter corner are computed every so many frames. */
const controlFrames = 16
/** How many octaves brighter the hardest note is than the softest. */
const velocityOctaves = 1.5
const usualVelocity = 0.75

/** The frequency over time: vibrato that sets in late, and a slide from the note before. */
function createPitchCurve(patch: Patch, note: Note): () => number {
  const base = toHertz(note.pitch)
  const slide = note.glideFrom === undefined ? 0 : note.glideFrom - note.pitch
  const { hertz = 0, cents = 0, delay = 0 } = patch.vibrato ?? {}
  return holdValue(controlFrames, (seconds) => {
    const depth = Math.min(1, Math.max(0, (seconds - delay) * 3)) * (cents / 100)
    const bend = slide * Math.exp((-5 * seconds) / (patch.glideSeconds ?? 0.06))
    return base * 2 ** ((bend + depth * Math.sin(2 * Math.PI * hertz * seconds)) / 12)
  })
}

function createCutoffCurve(patch: Patch, note: Note): () => number {
  const brightness =
    (velocityOctaves * (note.velocity - usualVelocity)) / 0.5 +
    ((patch.tracking ?? 0.5) * (note.pitch - 60)) / 12
  const base = patch.cutoff * 2 ** brightness
  const sweep = patch.sweep ? createEnvelope(patch.sweep, note.seconds) : () => 0
  const octaves = patch.sweepOctaves ?? 0
  const state = { level: 0 }
  const corner = holdValue(controlFrames, () => Math.min(18_000, base * 2 ** (octaves * state.level)))
  return () => {
    state.level = sweep()
    return corner()
  }
}

/** The detuned oscillators with their places; even ones lean left, odd ones right. */
function createVoices(patch: Patch, random: Random) {
  const count = patch.voices ?? 1
  return Array.from({ length: count }, (_, index) => {
    const place = count === 1 ? 0 : (2 * index) / (count - 1) - 1
    const side = (index % 2 === 0 ? -1 : 1) * Math.abs(place)
    return {
      oscillator: createOscillator(patch.wave, random.next(), patch.pulseWidth),
      ratio: 2 ** ((place * (patch.detune ?? 0)) / 2400),
      ...panGains(side * (patch.spread ?? 0)),
    }
  })
}

function saturate(sample: number, drive: number): number {
  return drive > 0 ? Math.tanh(sample * (1 + drive)) / (1 + drive / 2) : sample
}

export function createSynth(patch: Patch): Instrument {
  const { sub = 0, breath = 0, drive = 0, resonance = 0.7 } = patch
  return (out, note, random) => {
    const voices = createVoices(patch, random)
    const level = note.velocity / Math.sqrt(voices.length)
    const pitch = createPitchCurve(patch, note)
    const cutoff = createCutoffCurve(patch, note)
    const amplitude = createEnvelope(patch.amplitude, note.seconds)
    const below = createSine()
    const leftFilter = createFilter('low')
    const rightFilter = createFilter('low')
    addStereo(out, note.at, note.seconds + patch.amplitude.release, (frame) => {
      const hertz = pitch()
      let left = 0
      let right = 0
      for (const voice of voices) {
        const sample = voice.oscillator(hertz * voice.ratio)
        left += sample * voice.left
        right += sample * voice.right
      }
      const middle = (sub > 0 ? sub * below(hertz / 2) : 0) + (breath > 0 ? breath * random.bipolar() : 0)
      const corner = cutoff()
      const gain = level * amplitude()
      frame.left = gain * saturate(leftFilter(left + middle, corner, resonance), drive)
      frame.right = gain * saturate(rightFilter(right + middle, corner, resonance), drive)
    })
  }
}
