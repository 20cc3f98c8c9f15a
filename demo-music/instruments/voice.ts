import { createEnvelope } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { createSaw } from '../signal/oscillator.ts'
import { sampleRate } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { addMono } from './note.ts'
import type { EnvelopeShape } from '../signal/envelope.ts'
import type { Instrument } from './note.ts'

/** Formants of a sung vowel: hertz, level, sharpness. After the tables of Peterson and Barney (1952). */
const vowels = {
  ah: [
    [730, 1, 7],
    [1090, 0.5, 9],
    [2440, 0.22, 12],
    [3400, 0.1, 12],
  ],
  oh: [
    [500, 1, 7],
    [850, 0.45, 9],
    [2410, 0.08, 12],
    [3300, 0.04, 12],
  ],
  oo: [
    [320, 1, 6],
    [870, 0.22, 9],
    [2240, 0.04, 12],
    [3200, 0.02, 12],
  ],
} as const

export interface Singer {
  vowel: keyof typeof vowels
  amplitude: EnvelopeShape
  vibratoCents: number
  /** Level of air in the voice. */
  breath: number
}

/** A wordless voice: a buzzing source through the resonances of a mouth. */
export function createVoice(singer: Singer): Instrument {
  return (out, note, random) => {
    const base = toHertz(note.pitch)
    const buzz = createSaw(random.next())
    const level = createEnvelope(singer.amplitude, note.seconds)
    const formants = vowels[singer.vowel].map(([hertz, gain, q]) => ({
      hertz: Math.max(hertz, base),
      gain,
      q,
      filter: createFilter('band'),
    }))
    const rate = random.between(4.8, 5.6)
    const scoop = random.between(0.2, 0.5)
    let frame = 0
    addMono(out, note.at, note.seconds + singer.amplitude.release, note.pan ?? 0, () => {
      const at = frame / sampleRate
      frame += 1
      const depth = Math.min(1, at * 1.5) * (singer.vibratoCents / 100)
      const bend = depth * Math.sin(2 * Math.PI * rate * at) - scoop * Math.exp(-at * 25)
      const source = buzz(base * 2 ** (bend / 12)) + singer.breath * random.bipolar()
      let sum = 0
      for (const { hertz, gain, q, filter } of formants) sum += gain * filter(source, hertz, q)
      return sum * level() * note.velocity
    })
  }
}
