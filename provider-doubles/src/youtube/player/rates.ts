import type { PlayerBehaviour } from './behaviour.ts'

/** The rates that YouTube's documentation lists. */
export const listedRates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

const fineStep = 0.05
const coarseStep = 0.25

/** Rounds toward 1 to a multiple of a step, within 0.25 to 2. */
function toStep(rate: number, step: number): number {
  // Divided quotients miss whole numbers by rounding errors: 1.15 / 0.05 is 22.999...
  const steps = Math.round((rate / step) * 1_000) / 1_000
  const whole = rate > 1 ? Math.floor(steps) : Math.ceil(steps)
  return Math.min(2, Math.max(0.25, Math.round(whole * step * 100) / 100))
}

/** The rate that reads back after one is set. */
export const toReportedRate = (rate: number, rates: PlayerBehaviour['rates']): number =>
  toStep(rate, rates === 'coarse' ? coarseStep : fineStep)

/** The rate at which the media runs. */
export const toMediaRate = (rate: number, rates: PlayerBehaviour['rates']): number =>
  toStep(rate, rates === 'fine' ? fineStep : coarseStep)
