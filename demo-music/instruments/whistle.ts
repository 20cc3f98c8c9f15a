import { createEnvelope } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { createSine } from '../signal/oscillator.ts'
import { sampleRate } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { addMono } from './note.ts'
import type { Instrument } from './note.ts'

/** Somebody whistling, or a wooden flute far off: nearly a sine, with air around it and a late vibrato. */
export const whistle: Instrument = (out, note, random) => {
  const base = toHertz(note.pitch)
  const slide = note.glideFrom === undefined ? -0.6 : note.glideFrom - note.pitch
  const tone = createSine()
  const overtone = createSine()
  const air = createFilter('band')
  const level = createEnvelope({ attack: 0.06, decay: 0.6, sustain: 0.8, release: 0.2 }, note.seconds)
  const rate = random.between(4.9, 5.5)
  let frame = 0
  addMono(out, note.at, note.seconds + 0.2, note.pan ?? 0, () => {
    const at = frame / sampleRate
    frame += 1
    const vibrato = 0.22 * Math.min(1, Math.max(0, at - 0.25) * 2.5) * Math.sin(2 * Math.PI * rate * at)
    const hertz = base * 2 ** ((vibrato + slide * Math.exp(-at * 45)) / 12)
    const breath = air(random.bipolar(), Math.min(hertz * 1.5, 9000), 1.2)
    return (tone(hertz) + 0.11 * overtone(hertz * 2) + 0.1 * breath) * level() * note.velocity
  })
}
