import type { ClockState } from '../clock/clock-offset.ts'
import { type CorrectionProfile, correctionProfile } from './correction-profiles.ts'
import {
  type Latencies,
  type PlayerCapabilities,
  type PositionSample,
  type Progress,
  initialLatencies,
} from './player-state.ts'
import type { Timeline } from '../timeline.ts'

/** The input of `follow`. Instants on the client's monotonic wall clock, times in ms. */
export interface FollowInput {
  nowMs: number
  timeline: Timeline
  clock: ClockState
  capabilities: PlayerCapabilities
  /** The track that the player loaded last. */
  loadedTrackId: string | null
  sample: PositionSample | null
  /** A known reason why the player cannot play. */
  obstacle: 'blocked' | 'ad' | null
  /** The user's adjustment: positive delays this device. */
  nudgeMs: number
  /** Align at once: the user requested it (the Sync button, the s key), or the browser just allowed sound. */
  isAlignRequested: boolean
  history: FollowHistory
}

/**
 * `load`: load and buffer at a position, paused. `play`: start a stopped player from `positionMs` at `atClientMs`.
 * `alignAt`: the same for a playing one. `pause`: stop at `atClientMs` and move to `positionMs`. A player that cannot
 * schedule is called at once; `atClientMs` is when it is expected to sound. Load, play and alignAt reset the rate to 1.
 */
export type FollowAction =
  | { type: 'hold' }
  | { type: 'load'; trackId: string; positionMs: number }
  | { type: 'play'; positionMs: number; atClientMs: number }
  | { type: 'alignAt'; positionMs: number; atClientMs: number }
  | { type: 'pause'; positionMs: number; atClientMs: number }
  | { type: 'setRate'; rate: number }

/** `unplayable`: no player of this listener can play the track. */
export type FollowCause =
  | 'in_sync'
  | 'correcting'
  | 'buffering'
  | 'ad'
  | 'blocked'
  | 'unplayable'
  | 'no_clock'
  | 'paused'

export interface FollowOutcome {
  action: FollowAction
  history: FollowHistory
  /** Distance of the sound from the timeline, positive = ahead; null without a comparison. */
  errorMs: number | null
  /** How far `errorMs` may be off: the bound of the clock's offset, and that of the player's position. */
  uncertaintyMs: number | null
  cause: FollowCause
  /** Call `follow` again at this instant, even before the next turn. */
  wakeAtMs: number | null
}

/** The state of `follow` between calls. Plain data; `latencies` can be stored per device and source. */
export interface FollowHistory {
  line: TargetLine | null
  /** The target jumped, and the player has not been aligned yet. */
  isAlignDue: boolean
  lastAction: PlayerAction | null
  /** Samples from before this instant are ignored: the player has not settled yet. */
  ignoreUntilMs: number
  /** Of the last samples, oldest first. */
  errors: readonly number[]
  lastSample: PositionSample | null
  /** Consecutive samples with an error that requires a seek. */
  samplesAboveBand: number
  rate: number
  /** Times of automatic corrections in the last minute; explicit ones do not count. */
  correctedAtMs: readonly number[]
  failedCorrections: number
  /** How much wider the dead band is where corrections do not help. */
  bandScale: number
  /** Since when the error would have fitted the dead band as it was. */
  calmSinceMs: number
  /** When the dead band was last halved. */
  narrowedAtMs: number
  progress: Progress | null
  latencies: Latencies
  /** Since when the clock has samples, but too few; null otherwise. */
  clockSettlesSinceMs: number | null
  /** The clock's jumps that were noticed. */
  clockJumps: number
}

/** The target position as a line over the client's clock. */
export interface TargetLine {
  trackId: string | null
  isPlaying: boolean
  /** While playing: the instant of position 0. While paused: the negated position. */
  originMs: number
  seenAtMs: number
}

/** The latest call to the player. */
interface PlayerAction {
  kind: 'play' | 'align' | 'pause'
  calledAtMs: number
  /** When the call is expected to take effect. */
  soundsAtMs: number
  /** The error that an automatic correction is to remove; null for an explicit action. */
  correctsErrorMs: number | null
  /** Its result has not been measured yet. */
  isPending: boolean
}

export const initialFollowHistory: FollowHistory = {
  line: null,
  isAlignDue: true,
  lastAction: null,
  ignoreUntilMs: 0,
  errors: [],
  lastSample: null,
  samplesAboveBand: 0,
  rate: 1,
  correctedAtMs: [],
  failedCorrections: 0,
  bandScale: 1,
  calmSinceMs: 0,
  narrowedAtMs: 0,
  progress: null,
  latencies: initialLatencies,
  clockSettlesSinceMs: null,
  clockJumps: 0,
}

/** The input of `follow` with the player's correction profile. */
export interface FollowCall extends FollowInput {
  profile: CorrectionProfile
}

/** A position that may be off by more moves by itself. */
const steadyWithinMs = 2

/** Adds the correction profile that the player's capabilities, and what its errors are measured by, call for. */
export function toFollowCall(input: FollowInput): FollowCall {
  const { clock, sample, capabilities } = input
  const isSteady = clock.line?.samplingErrorMs === 0 && (sample?.uncertaintyMs ?? 0) < steadyWithinMs
  return { ...input, profile: correctionProfile(capabilities, isSteady) }
}

/** The error of an outcome that compares no position. */
export const notCompared = { errorMs: null, uncertaintyMs: null }

/** Returns an outcome without an action. */
export function hold(
  history: FollowHistory,
  cause: FollowCause,
  rest: Partial<Pick<FollowOutcome, 'errorMs' | 'uncertaintyMs' | 'wakeAtMs'>> = {},
): FollowOutcome {
  return { action: { type: 'hold' }, history, ...notCompared, cause, wakeAtMs: null, ...rest }
}
