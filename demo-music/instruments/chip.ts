import { sampleRate } from '../signal/stereo.ts'
import { createPulse } from '../signal/oscillator.ts'
import { toHertz } from '../notation/pitch.ts'
import { addMono, holdValue } from './note.ts'
import type { Instrument } from './note.ts'

/** Old game consoles moved volume and pitch once a picture. */
const framesPerTick = sampleRate / 60
const volumeSteps = 15

export interface ChipPulse {
  /** Share of the period that is high: 0.125, 0.25 or 0.5 on the old chips. */
  width: number
  /** Volume lost in a second, and the level (0..1) at which it stops falling. */
  fade: number
  sustain: number
  /** Semitones it runs through, a step a tick: the old way to play a chord on one voice. */
  arpeggio?: readonly number[]
  vibratoCents?: number
}

export function createChipPulse(patch: ChipPulse): Instrument {
  const steps = patch.arpeggio ?? [0]
  return (out, note) => {
    const wave = createPulse(0, patch.width)
    const pitch = holdValue(framesPerTick, (at) => {
      const tick = Math.round(at * 60)
      const wobble = at > 0.2 ? ((patch.vibratoCents ?? 0) / 100) * Math.sin(2 * Math.PI * 6 * at) : 0
      return toHertz(note.pitch + (steps[tick % steps.length] ?? 0) + wobble)
    })
    const volume = holdValue(framesPerTick, (at) => {
      const level = at >= note.seconds ? 0 : Math.max(patch.sustain, 1 - patch.fade * at) * note.velocity
      return Math.round(level * volumeSteps) / volumeSteps
    })
    addMono(out, note.at, note.seconds, note.pan ?? 0, () => wave(pitch()) * volume())
  }
}

/** The stepped triangle of the old chips: 32 steps of 4 bits, no volume control. */
export const chipTriangle: Instrument = (out, note) => {
  const step = toHertz(note.pitch) / sampleRate
  let phase = 0
  addMono(out, note.at, note.seconds * 0.92, note.pan ?? 0, () => {
    phase = (phase + step) % 1
    const stair = Math.floor(phase * 32)
    return (stair < 16 ? 15 - stair : stair - 16) / 7.5 - 1
  })
}

/** A triangle that dives: how chip tunes make a bass drum. */
export const chipKick: Instrument = (out, note) => {
  let phase = 0
  const hertz = holdValue(framesPerTick / 4, (at) => 45 + 320 * Math.exp(-at * 38))
  const volume = holdValue(framesPerTick, (at) => Math.max(0, 1 - at * 6))
  addMono(out, note.at, 0.17, 0, () => {
    phase = (phase + hertz() / sampleRate) % 1
    return (1 - 4 * Math.abs(phase - 0.5)) * volume() * note.velocity
  })
}

/** A shift register as noise source: `held` frames a bit, the higher the deeper; `fade` in volume a second. */
export function createChipNoise(held: number, fade: number): Instrument {
  return (out, note) => {
    let register = 1
    const bit = holdValue(held, () => {
      const feedback = (register ^ (register >> 1)) & 1
      register = (register >> 1) | (feedback << 14)
      return register & 1 ? 1 : -1
    })
    const volume = holdValue(framesPerTick, (at) => {
      return Math.round(Math.max(0, 1 - fade * at) * note.velocity * volumeSteps) / volumeSteps
    })
    addMono(out, note.at, 1 / fade, note.pan ?? 0, () => bit() * volume())
  }
}
