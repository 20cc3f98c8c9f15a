import { createDecay } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { sampleRate } from '../signal/stereo.ts'
import { addMono, addStereo } from '../instruments/note.ts'
import type { Instrument } from '../instruments/note.ts'

export interface Snare {
  /** The drum head: its pitch, length and level. */
  hertz: number
  headSeconds: number
  head: number
  /** The wires: corner of the noise, where it is loudest, length and level. */
  floorHertz: number
  peakHertz: number
  wireSeconds: number
  wires: number
}

export function createSnare(snare: Snare): Instrument {
  return (out, note, random) => {
    const headLevel = createDecay(snare.headSeconds)
    const wireLevel = createDecay(snare.wireSeconds)
    const snap = createDecay(0.025)
    const floor = createFilter('high')
    const peak = createFilter('band')
    let low = 0
    let high = 0
    let frame = 0
    addMono(out, note.at, Math.max(snare.headSeconds, snare.wireSeconds), note.pan ?? 0, () => {
      const drop = 1 + 0.35 * Math.exp((-90 * frame) / sampleRate)
      frame += 1
      low += (snare.hertz * drop) / sampleRate
      high += (snare.hertz * 1.72 * drop) / sampleRate
      const head =
        snare.head * headLevel() * (Math.sin(2 * Math.PI * low) + 0.5 * Math.sin(2 * Math.PI * high))
      const noise = floor(random.bipolar(), snare.floorHertz, 0.7)
      const wires =
        snare.wires * (wireLevel() + 0.5 * snap()) * (0.6 * noise + 0.9 * peak(noise, snare.peakHertz, 0.9))
      return Math.tanh(1.2 * (head + wires * (0.4 + 0.6 * note.velocity))) * note.velocity
    })
  }
}

/** Several hands that are not quite together, then the room. */
export function createClap(seconds: number): Instrument {
  return (out, note, random) => {
    const hands = [0, 0.011, 0.021, 0.032]
    const leftTone = createFilter('band')
    const rightTone = createFilter('band')
    const tail = createDecay(seconds)
    let frame = 0
    addStereo(out, note.at, seconds + 0.04, (sounding) => {
      const at = frame / sampleRate
      frame += 1
      let level = 0
      for (const hand of hands) if (at >= hand) level = Math.exp((hand - at) * 190)
      if (at > 0.032) level += 0.45 * tail()
      const common = random.bipolar()
      sounding.left = leftTone(common + 0.5 * random.bipolar(), 1350, 1.1) * level * note.velocity
      sounding.right = rightTone(common + 0.5 * random.bipolar(), 1500, 1.1) * level * note.velocity
    })
  }
}

/** A stick on the rim. */
export const rimshot: Instrument = (out, note) => {
  const level = createDecay(0.09)
  let frame = 0
  addMono(out, note.at, 0.09, note.pan ?? 0, () => {
    const at = frame / sampleRate
    frame += 1
    const tone = Math.sin(2 * Math.PI * 1720 * at) + 0.7 * Math.sin(2 * Math.PI * 478 * at)
    return Math.tanh(2 * tone * level()) * 0.6 * note.velocity
  })
}
