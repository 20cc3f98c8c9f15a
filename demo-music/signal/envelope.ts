import { sampleRate } from './stereo.ts'

/** Times in seconds; `sustain` is a level in 0..1. `release` is the time to fall by 60 dB. */
export interface EnvelopeShape {
  attack: number
  decay: number
  sustain: number
  release: number
}

/** The level that an attack aims at, so that its exponential curve passes 1 while it is still steep. */
const attackTarget = 1.3
const attackTimeConstants = Math.log(attackTarget / (attackTarget - 1))
/** Natural time constants in a fall by 60 dB. */
const fallTimeConstants = Math.log(1000)

function followRate(seconds: number, timeConstants: number): number {
  return 1 - Math.exp(-timeConstants / Math.max(1, seconds * sampleRate))
}

/** One level a call, 0..1: exponential attack, decay to the sustain level, release after `heldSeconds`. */
export function createEnvelope(shape: EnvelopeShape, heldSeconds: number): () => number {
  const attackRate = followRate(shape.attack, attackTimeConstants)
  const decayRate = followRate(shape.decay, fallTimeConstants)
  const releaseRate = followRate(shape.release, fallTimeConstants)
  const state = { level: 0 }
  let held = Math.round(heldSeconds * sampleRate)
  let rising = true
  return () => {
    held -= 1
    if (held < 0) state.level -= state.level * releaseRate
    else if (rising) {
      state.level = Math.min(1, state.level + (attackTarget - state.level) * attackRate)
      rising = state.level < 1
    } else state.level += (shape.sustain - state.level) * decayRate
    return state.level
  }
}

/** One level a call, falling from 1 by 60 dB in the given time. */
export function createDecay(seconds: number): () => number {
  const keep = 1 - followRate(seconds, fallTimeConstants)
  const state = { level: 1 / keep }
  return () => (state.level *= keep)
}
