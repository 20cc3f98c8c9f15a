/**
 * Finds out whether a video player really plays at fine rates: reads back the rate that a correction set, and compares
 * how far the position advances over 2 s. The player's documentation, what it states and what it does are known to
 * differ. Until there is evidence against them, fine rates count as supported. Times in ms.
 */
export interface VideoRates {
  verdict: 'unknown' | 'fine' | 'none'
  /** The rate that was set last. */
  rate: number
  setAtMs: number
  /** Where the comparison began; null while the new rate has not settled, or after an interruption. */
  start: { atMs: number; positionMs: number } | null
}

export const initialVideoRates: VideoRates = { verdict: 'unknown', rate: 1, setAtMs: 0, start: null }

/** The player answers with its next report, every 265 ms. */
const settleMs = 600
/** A rate that is not read back by then was refused. */
const readBackMs = 1_200
const compareMs = 2_000
/** The share of the wanted deviation that must show. */
const minShare = 0.5

/** Records a rate that is set now. */
export const noteRate = (rates: VideoRates, rate: number, nowMs: number): VideoRates => ({
  ...rates,
  rate,
  setAtMs: nowMs,
  start: null,
})

/** Judges the rates by a sample of the steadily playing player and the rate that it states. */
export function checkRates(
  rates: VideoRates,
  sample: { atMs: number; positionMs: number; statedRate: number },
): VideoRates {
  const { verdict, rate, setAtMs, start } = rates
  const { atMs, positionMs, statedRate } = sample
  if (verdict !== 'unknown' || rate === 1 || atMs - setAtMs < settleMs) return rates
  const isReadBack = Math.abs(statedRate - rate) < 0.01
  if (!isReadBack) return atMs - setAtMs < readBackMs ? rates : { ...rates, verdict: 'none' }
  if (start === null) return { ...rates, start: { atMs, positionMs } }
  const elapsedMs = atMs - start.atMs
  if (elapsedMs < compareMs) return rates
  const slope = (positionMs - start.positionMs) / elapsedMs
  return { ...rates, verdict: (slope - 1) / (rate - 1) >= minShare ? 'fine' : 'none' }
}
