import { createDecay, createEnvelope } from '../signal/envelope.ts'
import { sampleRate } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { addStereo } from './note.ts'
import type { Instrument } from './note.ts'

const turn = 2 * Math.PI

/**
 * A tine piano by frequency modulation: a 1:1 pair is the body that growls when hit hard, a 1:14 pair the short
 * metallic tine (the scheme of John Chowning's electric pianos).
 */
export const electricPiano: Instrument = (out, note, random) => {
  const step = toHertz(note.pitch) / sampleRate
  const register = 2 ** ((60 - note.pitch) / 24)
  const body = createEnvelope(
    { attack: 0.003, decay: 5.5 * register, sustain: 0, release: 0.28 },
    note.seconds,
  )
  const bark = createDecay(1.8 * register)
  const tine = createDecay(0.35 * register)
  const barkDepth = (0.25 + 1.5 * note.velocity ** 2) * Math.min(1.3, register)
  const tineDepth = 0.22 * note.velocity * Math.min(1, register)
  const lean = 0.35 * Math.max(-1, Math.min(1, (note.pitch - 60) / 24))
  const start = random.next()
  const state = { phase: start, drift: start }
  addStereo(out, note.at, note.seconds + 0.28, (frame) => {
    state.phase += step
    state.drift += step * 1.0007
    const { phase, drift } = state
    const level = body() * note.velocity
    const growl = barkDepth * bark()
    const ring = tineDepth * tine() * Math.sin(turn * 14 * phase)
    frame.left = level * (1 - lean) * Math.sin(turn * phase + growl * Math.sin(turn * phase) + ring)
    frame.right = level * (1 + lean) * Math.sin(turn * drift + growl * Math.sin(turn * drift) + ring)
  })
}
