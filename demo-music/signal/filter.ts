import { sampleRate } from './stereo.ts'

export type FilterKind = 'low' | 'high' | 'band'
/** One sample through a filter whose corner may move; `q` 0.7 is flat, 8 rings. */
export type Filter = (sample: number, hertz: number, q: number) => number

/** The corner is read every so many samples: below what an ear can tell, and a tangent is dear. */
const framesBetweenUpdates = 8
const highestHertz = 20_000

/**
 * State-variable filter, 12 dB an octave, stable under fast modulation.
 * Andrew Simper, "Solving the continuous SVF equations using trapezoidal integration" (Cytomic, 2013).
 */
export function createFilter(kind: FilterKind): Filter {
  const state = { first: 0, second: 0, damping: 1, a1: 0, a2: 0, a3: 0 }
  let frame = 0
  return (sample, hertz, q) => {
    if (frame % framesBetweenUpdates === 0) {
      const g = Math.tan((Math.PI * Math.min(hertz, highestHertz)) / sampleRate)
      state.damping = 1 / q
      state.a1 = 1 / (1 + g * (g + state.damping))
      state.a2 = g * state.a1
      state.a3 = g * state.a2
    }
    frame += 1
    const difference = sample - state.second
    const band = state.a1 * state.first + state.a2 * difference
    const low = state.second + state.a2 * state.first + state.a3 * difference
    state.first = 2 * band - state.first
    state.second = 2 * low - state.second
    if (kind === 'low') return low
    return kind === 'band' ? state.damping * band : sample - state.damping * band - low
  }
}

/** A gentle 6 dB an octave low pass. */
export function createSmoother(hertz: number): (sample: number) => number {
  const rate = 1 - Math.exp((-2 * Math.PI * hertz) / sampleRate)
  const state = { level: 0 }
  return (sample) => (state.level += (sample - state.level) * rate)
}
