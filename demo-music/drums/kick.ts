import { createDecay } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { sampleRate } from '../signal/stereo.ts'
import { addMono } from '../instruments/note.ts'
import type { Instrument } from '../instruments/note.ts'

export interface Kick {
  /** The tone falls from `from` to `to` hertz with this time constant. */
  from: number
  to: number
  fallSeconds: number
  /** Time to fall by 60 dB. */
  seconds: number
  /** Level of the beater. */
  click: number
  /** 0 is clean. */
  drive: number
}

export function createKick(kick: Kick): Instrument {
  return (out, note, random) => {
    const level = createDecay(kick.seconds)
    const beat = createDecay(0.02)
    const beater = createFilter('band')
    let phase = 0
    let frame = 0
    addMono(out, note.at, kick.seconds, 0, () => {
      const at = frame / sampleRate
      frame += 1
      phase += (kick.to + (kick.from - kick.to) * Math.exp(-at / kick.fallSeconds)) / sampleRate
      const onset = Math.min(1, at / 0.0008)
      const body = Math.sin(2 * Math.PI * phase) * level() * onset
      const click = kick.click * beater(random.bipolar(), 3200, 0.7) * beat()
      return (Math.tanh(body * (1 + kick.drive)) / Math.tanh(1 + kick.drive) + click) * note.velocity
    })
  }
}
