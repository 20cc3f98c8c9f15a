import { applyGain, mixInto, sampleRate } from '../signal/stereo.ts'
import { renderReverb } from './reverb.ts'
import type { Effect } from './modulation.ts'

const closeSeconds = 0.03

/** A big bright room that is cut off `openSeconds` after each of the instants (rising): the snare of the eighties. */
export function gatedRoom(instants: readonly number[], openSeconds: number, mix: number): Effect {
  return (signal) => {
    const room = renderReverb(signal, {
      seconds: 1.6,
      size: 0.55,
      predelaySeconds: 0.004,
      dampHertz: 9000,
      floorHertz: 250,
    })
    let current = -1
    applyGain(room, (frame) => {
      const at = frame / sampleRate
      if (frame === 0) current = -1
      while (current + 1 < instants.length && (instants[current + 1] ?? 0) <= at) current += 1
      const open = at - (instants[current] ?? -Infinity)
      return Math.max(0, Math.min(1, 1 - (open - openSeconds) / closeSeconds))
    })
    mixInto(signal, room, mix)
  }
}
