import { createDecay } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { sampleRate } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { addMono } from '../instruments/note.ts'
import type { Instrument } from '../instruments/note.ts'

/** Seeds in a gourd: noise that swells for a moment before it falls. */
export const shaker: Instrument = (out, note, random) => {
  const band = createFilter('band')
  const floor = createFilter('high')
  const fall = createDecay(0.13)
  let frame = 0
  addMono(out, note.at, 0.13, note.pan ?? 0, () => {
    const swell = Math.min(1, frame / (0.018 * sampleRate))
    frame += 1
    return floor(band(random.bipolar(), 7200, 1.1), 3500, 0.7) * swell * fall() * note.velocity
  })
}

/** Small jingles: high inharmonic modes under noise. */
export const tambourine: Instrument = (out, note, random) => {
  const jingles = [6100, 7450, 8900, 10_300].map((hertz) => ({ hertz, filter: createFilter('band') }))
  const level = createDecay(0.22)
  const strike = createDecay(0.04)
  addMono(out, note.at, 0.22, note.pan ?? 0, () => {
    const source = random.bipolar()
    let sum = 0
    for (const { hertz, filter } of jingles) sum += filter(source, hertz, 18)
    return (sum * level() + 0.3 * source * strike()) * note.velocity
  })
}

/** A drum skin tuned to the note's pitch; `seconds` is the time to fall by 60 dB, `dive` how far it falls at first. */
export function createSkin(seconds: number, dive: number): Instrument {
  return (out, note, random) => {
    const hertz = toHertz(note.pitch)
    const level = createDecay(seconds)
    const slap = createDecay(0.03)
    const tone = createFilter('band')
    let phase = 0
    let second = 0
    let frame = 0
    addMono(out, note.at, seconds, note.pan ?? 0, () => {
      const bend = 1 + dive * Math.exp((-28 * frame) / sampleRate)
      frame += 1
      phase += (hertz * bend) / sampleRate
      second += (hertz * bend * 1.59) / sampleRate
      const skin = Math.sin(2 * Math.PI * phase) + 0.25 * Math.sin(2 * Math.PI * second)
      return (skin * level() + 0.6 * tone(random.bipolar(), hertz * 6, 0.9) * slap()) * note.velocity
    })
  }
}
