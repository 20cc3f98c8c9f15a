import { createDecay } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { createPulse } from '../signal/oscillator.ts'
import { addMono, addStereo } from '../instruments/note.ts'
import type { Instrument } from '../instruments/note.ts'

/** Six square waves that share no overtones make the metal of early drum machines. */
const metalHertz = [205.3, 304.4, 369.6, 522.7, 635.2, 800]

function createMetal(tuning: number): () => number {
  const plates = metalHertz.map((hertz, index) => ({
    hertz: hertz * tuning,
    wave: createPulse((index * 0.37) % 1),
  }))
  return () => {
    let sum = 0
    for (const plate of plates) sum += plate.wave(plate.hertz)
    return sum / plates.length
  }
}

export interface Hat {
  /** Time to fall by 60 dB. */
  seconds: number
  /** Nothing below this is heard. */
  hertz: number
  /** Share of metal; the rest is noise. */
  metal: number
}

export function createHat(hat: Hat): Instrument {
  return (out, note, random) => {
    const metal = createMetal(2.1)
    const level = createDecay(hat.seconds)
    const first = createFilter('high')
    const second = createFilter('high')
    const air = createFilter('low')
    addMono(out, note.at, hat.seconds, note.pan ?? 0, () => {
      const source = hat.metal * metal() + (1 - hat.metal) * random.bipolar()
      const bright = second(first(source, hat.hertz, 0.8), hat.hertz, 0.8)
      return air(bright, 9000 + 7000 * note.velocity, 0.7) * level() * note.velocity
    })
  }
}

/** Wide and long: for the first beat of a section. */
export function createCrash(seconds: number): Instrument {
  return (out, note, random) => {
    const metal = createMetal(2.7)
    const level = createDecay(seconds)
    const hit = createDecay(seconds / 6)
    const left = createFilter('high')
    const right = createFilter('high')
    const air = createFilter('low')
    addStereo(out, note.at, seconds, (sounding) => {
      const shared = air(0.6 * metal() + 0.5 * random.bipolar(), 11_000, 0.7)
      const gain = (0.5 * level() + 0.5 * hit()) * note.velocity
      sounding.left = left(shared + 0.35 * random.bipolar(), 3800, 0.7) * gain
      sounding.right = right(shared + 0.35 * random.bipolar(), 4200, 0.7) * gain
    })
  }
}

/** A ride cymbal: a bell over a wash. */
export const ride: Instrument = (out, note, random) => {
  const metal = createMetal(3.3)
  const wash = createDecay(1.1)
  const ping = createDecay(0.28)
  const floor = createFilter('high')
  const bell = createFilter('band')
  addMono(out, note.at, 1.1, note.pan ?? 0.25, () => {
    const source = metal() + 0.3 * random.bipolar()
    return (0.5 * floor(source, 6500, 0.7) * wash() + 0.8 * bell(source, 5200, 2.5) * ping()) * note.velocity
  })
}
