import type { ClockState } from '../clock/clock-offset.ts'
import { type CorrectionProfile, correctionProfile } from './correction-profiles.ts'
import type { PlayerCapabilities, PositionSample } from './player-state.ts'
import { type Latencies, initialLatencies } from './seek-latency.ts'
import type { Timeline } from '../timeline.ts'

/** What keeps a listener's player on the room's timeline. Instants on the client's monotonic wall clock, all in ms. */
export interface FollowInput {
  nowMs: number
  timeline: Timeline
  clock: ClockState
  capabilities: PlayerCapabilities
  /** The track that the player was last told to load. */
  loadedTrackId: string | null
  sample: PositionSample | null
  /** What keeps the player from playing, as far as the page knows. */
  obstacle: 'blocked' | 'ad' | null
  /** The user's own adjustment: positive holds this device back. */
  nudgeMs: number
  /** The user asked for it (the Sync button, the s key), or sound was just allowed: align at once. */
  isAlignRequested: boolean
  history: FollowHistory
}

/**
 * `load`: load and buffer at a position, paused. `play`: let a standing player sound from `positionMs` on, at
 * `atClientMs`. `alignAt`: the same for one that plays already. `pause`: stand at `positionMs`. A player that cannot
 * schedule is to be called at once: `atClientMs` is when it is expected to sound. Load, play and alignAt begin at rate 1.
 */
export type FollowAction =
  | { type: 'hold' }
  | { type: 'load'; trackId: string; positionMs: number }
  | { type: 'play'; positionMs: number; atClientMs: number }
  | { type: 'alignAt'; positionMs: number; atClientMs: number }
  | { type: 'pause'; positionMs: number }
  | { type: 'setRate'; rate: number }

export type FollowCause = 'in_sync' | 'correcting' | 'buffering' | 'ad' | 'blocked' | 'no_clock' | 'paused'

export interface FollowOutcome {
  action: FollowAction
  history: FollowHistory
  /** How far the sound is from the timeline, positive = ahead; null while there is nothing to compare. */
  errorMs: number | null
  cause: FollowCause
  /** `follow` wants to be called at this instant, also where that is before the next turn. */
  wakeAtMs: number | null
}

/** What `follow` remembers from call to call. Plain data; `latencies` may be kept for the device and source. */
export interface FollowHistory {
  line: TargetLine | null
  /** The target jumped, and the player has not been told yet. */
  isAlignDue: boolean
  lastAction: PlayerAction | null
  /** Samples from before this instant say nothing: the player is still on its way. */
  judgeFromMs: number
  /** Of the last samples, oldest first. */
  errors: readonly number[]
  lastSample: PositionSample | null
  /** Looks in a row at which the error called for a seek. */
  samplesAboveBand: number
  rate: number
  /** Corrections of one's own in the last minute: never explicit ones. */
  correctedAtMs: readonly number[]
  failedCorrections: number
  bandScale: number
  progress: Progress | null
  latencies: Latencies
  withoutClockSinceMs: number | null
}

/** Where the player should be, as a line on the client's clock. */
export interface TargetLine {
  trackId: string | null
  isPlaying: boolean
  /** While playing: when the track's beginning was, or would have been. While paused: the position, negative. */
  originMs: number
  seenAtMs: number
}

/** The latest call of the player. */
export interface PlayerAction {
  kind: 'play' | 'align' | 'pause'
  calledAtMs: number
  /** When it is expected to sound, or, of a pause, to be quiet. */
  soundsAtMs: number
  /** Of a correction: the error that it was to mend. */
  correctsErrorMs: number | null
  /** Whether it was not yet seen how it came out. */
  isUnjudged: boolean
}

/** Since when the player has not moved on. */
export interface Progress {
  positionMs: number
  sinceMs: number
  isStalled: boolean
}

export const initialFollowHistory: FollowHistory = {
  line: null,
  isAlignDue: true,
  lastAction: null,
  judgeFromMs: 0,
  errors: [],
  lastSample: null,
  samplesAboveBand: 0,
  rate: 1,
  correctedAtMs: [],
  failedCorrections: 0,
  bandScale: 1,
  progress: null,
  latencies: initialLatencies,
  withoutClockSinceMs: null,
}

/** A call of `follow` on its way through its parts. */
export interface FollowCall extends FollowInput {
  profile: CorrectionProfile
}

export function toFollowCall(input: FollowInput): FollowCall {
  return { ...input, profile: correctionProfile(input.capabilities) }
}

export function hold(
  history: FollowHistory,
  cause: FollowCause,
  rest: { errorMs?: number | null; wakeAtMs?: number | null } = {},
): FollowOutcome {
  const { errorMs = null, wakeAtMs = null } = rest
  return { action: { type: 'hold' }, history, errorMs, cause, wakeAtMs }
}
