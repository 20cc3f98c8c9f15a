import { createBar } from './modal.ts'

/** Bars are tuned so that the second mode is two octaves above the first. */
export const vibraphone = createBar({
  modes: [
    { ratio: 1, gain: 1, seconds: 4.5 },
    { ratio: 4, gain: 0.22, seconds: 1.6 },
    { ratio: 9.9, gain: 0.06, seconds: 0.35 },
  ],
  knock: { level: 0.12, hertz: 1800, seconds: 0.02 },
  damped: true,
  tremolo: { hertz: 5.2, depth: 0.18 },
})

export const marimba = createBar({
  modes: [
    { ratio: 1, gain: 1, seconds: 1.1 },
    { ratio: 3.93, gain: 0.28, seconds: 0.28 },
    { ratio: 9.24, gain: 0.09, seconds: 0.1 },
  ],
  knock: { level: 0.25, hertz: 900, seconds: 0.025 },
  damped: false,
})

/** The ratios of a free bar (Euler and Bernoulli). */
export const glockenspiel = createBar({
  modes: [
    { ratio: 1, gain: 1, seconds: 3 },
    { ratio: 2.756, gain: 0.35, seconds: 1.3 },
    { ratio: 5.404, gain: 0.14, seconds: 0.5 },
    { ratio: 8.933, gain: 0.05, seconds: 0.2 },
  ],
  knock: { level: 0.08, hertz: 5000, seconds: 0.012 },
  damped: false,
})

/** A soft bowl: pairs of modes a little apart beat slowly. */
export const bowl = createBar({
  modes: [
    { ratio: 0.9985, gain: 0.6, seconds: 9 },
    { ratio: 1.0015, gain: 0.6, seconds: 9 },
    { ratio: 2.004, gain: 0.25, seconds: 6 },
    { ratio: 2.998, gain: 0.12, seconds: 4 },
    { ratio: 5.17, gain: 0.05, seconds: 2 },
  ],
  knock: { level: 0.03, hertz: 1200, seconds: 0.03 },
  damped: false,
})
