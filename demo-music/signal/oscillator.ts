import { sampleRate } from './stereo.ts'

// Values that change with every sample are fields of an object, here and in the filters: the engine stores a number in
// a captured variable anew on the heap each time it changes, which makes everything half as fast.

/** One sample of a wave at the given frequency; the phase advances with every call. */
export type Oscillator = (hertz: number) => number
export type Wave = 'sine' | 'triangle' | 'saw' | 'pulse'

/**
 * Returns what to add around a step of a naive wave so that it does not alias.
 * PolyBLEP after Valimaki and Huovilainen, "Antialiasing Oscillators in Subtractive Synthesis" (2007).
 */
function smoothStep(phase: number, advance: number): number {
  if (phase < advance) {
    const distance = phase / advance
    return distance + distance - distance * distance - 1
  }
  if (phase > 1 - advance) {
    const distance = (phase - 1) / advance
    return distance * distance + distance + distance + 1
  }
  return 0
}

export function createSine(phase = 0): Oscillator {
  const state = { position: phase }
  return (hertz) => {
    const sample = Math.sin(2 * Math.PI * state.position)
    state.position += hertz / sampleRate
    if (state.position >= 1) state.position -= 1
    return sample
  }
}

function createTriangle(phase = 0): Oscillator {
  const state = { position: phase }
  return (hertz) => {
    const sample = 1 - 4 * Math.abs(((state.position + 0.25) % 1) - 0.5)
    state.position += hertz / sampleRate
    if (state.position >= 1) state.position -= 1
    return sample
  }
}

export function createSaw(phase = 0): Oscillator {
  const state = { position: phase }
  return (hertz) => {
    const advance = hertz / sampleRate
    const sample = 2 * state.position - 1 - smoothStep(state.position, advance)
    state.position += advance
    if (state.position >= 1) state.position -= 1
    return sample
  }
}

/** `width` is the share of the period that is high; the constant part is taken out. */
export function createPulse(phase = 0, width = 0.5): Oscillator {
  const state = { position: phase }
  return (hertz) => {
    const advance = hertz / sampleRate
    const fall = state.position < width ? state.position + 1 - width : state.position - width
    const sample =
      (state.position < width ? 1 : -1) + smoothStep(state.position, advance) - smoothStep(fall, advance)
    state.position += advance
    if (state.position >= 1) state.position -= 1
    return sample - (2 * width - 1)
  }
}

export function createOscillator(wave: Wave, phase: number, width = 0.5): Oscillator {
  if (wave === 'saw') return createSaw(phase)
  if (wave === 'pulse') return createPulse(phase, width)
  return wave === 'triangle' ? createTriangle(phase) : createSine(phase)
}
