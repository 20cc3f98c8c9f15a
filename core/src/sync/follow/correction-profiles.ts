import type { PlayerCapabilities } from './player-state.ts'

/** The parameters that keep a kind of player on the timeline. Errors and times in ms, rates relative to 1. */
export interface CorrectionProfile {
  /** Errors up to this are not corrected. */
  deadBandMs: number
  /** A correction by rate continues until the error is below this. */
  leaveBandMs: number
  /** Up to this a listener counts as in sync. */
  inSyncMs: number
  /** Null for players without usable rates. */
  rate: RateCorrection | null
  /** Errors above this are corrected by a seek (or by a scheduled restart). */
  seekAboveMs: number
  /** The same in the first seconds of a sound, which nobody has heard for long. Default: no difference. */
  startSeekAboveMs?: number
  /** Consecutive samples above `seekAboveMs` before a seek. */
  seekAfterSamples: number
  cooldownMs: number
  /** Assumed latency from a call until the sound, before the first measurement. */
  startLatencyMs: number
  seekLatencyMs: number
}

/** `proportional`: a deviation that would remove the error within `overMs`. `fixed`: one rate per direction. */
type RateCorrection =
  | { kind: 'proportional'; maxDeviation: number; overMs: number }
  | { kind: 'fixed'; slower: number; faster: number }

/** How far ahead a schedulable player gets an instant, to decode the first samples before it. */
export const scheduleAheadMs = 100

const library: CorrectionProfile = {
  deadBandMs: 0.5,
  leaveBandMs: 0.15,
  inSyncMs: 5,
  // Fast and seldom: at a rate of 1 samples are played as they are, at any other they are interpolated.
  rate: { kind: 'proportional', maxDeviation: 0.003, overMs: 1_000 },
  seekAboveMs: 8,
  startSeekAboveMs: 2,
  seekAfterSamples: 1,
  cooldownMs: 500,
  startLatencyMs: 0,
  seekLatencyMs: 0,
}

/** Errors by a clock's estimate, or of a position, that still moves are mostly its own: corrected slowly, they average out. */
const unsteadyLibrary: CorrectionProfile = {
  ...library,
  startSeekAboveMs: library.seekAboveMs,
  deadBandMs: 1,
  leaveBandMs: 0.3,
  rate: { kind: 'proportional', maxDeviation: 0.003, overMs: 4_000 },
}

const element: CorrectionProfile = {
  deadBandMs: 2,
  leaveBandMs: 0.7,
  inSyncMs: 10,
  // Only an element that starts far off needs more than 1 %: for a second or two, where a seek would be a gap.
  rate: { kind: 'proportional', maxDeviation: 0.03, overMs: 1_000 },
  seekAboveMs: 80,
  seekAfterSamples: 1,
  cooldownMs: 2_000,
  startLatencyMs: 115,
  seekLatencyMs: 60,
}

const video = { startLatencyMs: 200, seekLatencyMs: 200 }

const streaming: CorrectionProfile = {
  deadBandMs: 150,
  leaveBandMs: 150,
  inSyncMs: 150,
  rate: null,
  seekAboveMs: 150,
  seekAfterSamples: 3,
  cooldownMs: 10_000,
  startLatencyMs: 400,
  seekLatencyMs: 400,
}

/** Returns the profile for a player's capabilities, by a steady clock and position or not. */
export function correctionProfile(capabilities: PlayerCapabilities, isSteady = true): CorrectionProfile {
  switch (capabilities.profile) {
    case 'library':
      return isSteady ? library : unsteadyLibrary
    case 'element':
      return element
    case 'streaming':
      return streaming
    case 'video':
      return videoProfile(fineRates(capabilities.rates))
  }
}

function videoProfile(rates: { slower: number; faster: number } | null): CorrectionProfile {
  if (!rates) {
    return {
      ...video,
      deadBandMs: 120,
      leaveBandMs: 120,
      inSyncMs: 120,
      rate: null,
      seekAboveMs: 120,
      seekAfterSamples: 2,
      cooldownMs: 5_000,
    }
  }
  return {
    ...video,
    deadBandMs: 40,
    leaveBandMs: 15,
    inSyncMs: 40,
    rate: { kind: 'fixed', ...rates },
    seekAboveMs: 500,
    seekAfterSamples: 1,
    cooldownMs: 3_000,
  }
}

/** Returns the nearest rates below and above 1, or null where they are audible as another tempo. */
function fineRates(rates: PlayerCapabilities['rates']): { slower: number; faster: number } | null {
  if (rates === 'none') return null
  if (rates === 'any') return { slower: 0.95, faster: 1.05 }
  const slower = Math.max(...rates.filter((rate) => rate < 1))
  const faster = Math.min(...rates.filter((rate) => rate > 1))
  return slower >= 0.9 && faster <= 1.1 ? { slower, faster } : null
}
