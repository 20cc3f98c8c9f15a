import { offsetOf, type ClockReading } from './clock-fit.ts'

/** A step is judged by so many readings: two before it, the one that shows it and two that bear it out. */
export const readingsPerStep = 5
/** What is said of a device that runs evenly wanders no faster, ms in a ms. */
const maxWander = 0.015
/** Of what the first reading shows, at least so much lasts, or it was a slip. */
const lastingShare = 0.6

/** The reading that a step is looked for at: the latest ones only bear it out. */
export const judged = (latest: readonly ClockReading[]): ClockReading | undefined =>
  latest.length < readingsPerStep ? undefined : latest.at(2 - readingsPerStep)

/**
 * By how much the output fell behind just before the judged reading, in ms; 0 where it runs on. A device that runs dry
 * inserts silence: what browsers say of it shows that within one reading, exact to some tenths of a millisecond, but is
 * thrown off by several milliseconds over the following seconds. (Measured: what two pages said, against the recorded
 * sound.) A device never gets ahead of itself: what says so is an earlier slip that is put right.
 */
export function findStep(latest: readonly ClockReading[], toleranceMs: number): number {
  const [first, second, shown, ...later] = latest.slice(-readingsPerStep)
  if (!first || !second || !shown || latest.length < readingsPerStep) return 0
  const beforeMs = Math.max(offsetOf(first), offsetOf(second))
  const stepMs = offsetOf(shown) - beforeMs
  if (stepMs <= toleranceMs + maxWander * (shown.contextMs - second.contextMs)) return 0
  const lasts = later.every((reading) => offsetOf(reading) - beforeMs > stepMs * lastingShare)
  return lasts ? stepMs : 0
}
