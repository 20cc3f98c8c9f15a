import { createDecay, createEnvelope } from '../signal/envelope.ts'
import { sampleRate } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { addMono } from './note.ts'
import type { Instrument } from './note.ts'

/** Drawbars: multiples of the pitch and how far each is pulled. */
const drawbars = [
  { ratio: 0.5, gain: 0.7 },
  { ratio: 1, gain: 1 },
  { ratio: 2, gain: 0.55 },
  { ratio: 3, gain: 0.35 },
  { ratio: 4, gain: 0.22 },
  { ratio: 6, gain: 0.08 },
] as const

/** The short, percussive organ of house records. */
export const houseOrgan: Instrument = (out, note, random) => {
  const hertz = toHertz(note.pitch)
  const level = createEnvelope({ attack: 0.002, decay: 0.7, sustain: 0.35, release: 0.12 }, note.seconds)
  const chiff = createDecay(0.18)
  const phases = drawbars.map(({ ratio }) => ({ ratio, at: random.next() }))
  addMono(out, note.at, note.seconds + 0.12, note.pan ?? 0, () => {
    const percussion = chiff()
    let sum = 0
    for (const [index, phase] of phases.entries()) {
      phase.at += (hertz * phase.ratio) / sampleRate
      const extra = phase.ratio === 3 ? 0.9 * percussion : 0
      sum += ((drawbars[index]?.gain ?? 0) + extra) * Math.sin(2 * Math.PI * phase.at)
    }
    return 0.4 * sum * level() * note.velocity
  })
}
