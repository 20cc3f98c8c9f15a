import { minuteMs } from '../../clock.ts'
import { limits } from '../../limits.ts'
import { type ClockState, clientTimeAt, serverTimeAt } from '../clock/clock-offset.ts'
import { type Timeline, roomPositionAt } from '../timeline.ts'
import { scheduleAheadMs } from './correction-profiles.ts'
import {
  type FollowCall,
  type FollowHistory,
  type FollowOutcome,
  type TargetLine,
  notCompared,
} from './follow-state.ts'

/** The target of a player on the room's timeline, and the actions that bring it there. */

/** The shortest notice at which a player with buffered sound can keep an instant. */
const nearestScheduleMs = 10
/** Playback is not corrected this close to the end of a track, or in its last quarter. */
export const endMarginMs = 300

/** Returns the target position of this player at an instant of the client's clock. */
export function targetPosition(call: FollowCall, clientMs: number): number {
  return roomPositionAt(call.timeline, call.clock, clientMs) - call.nudgeMs
}

/** Returns when the timeline starts to run, on the client's clock; in the past for a running one. */
export function startsAtClientMs({ timeline, clock }: FollowCall): number {
  return clientTimeAt(clock, timeline.atServerMs)
}

/**
 * Returns when the sound of the library stops after a pause, on the client's clock: all pages that hear of it by then stop at
 * the same instant (17.446). At once without a clock, and by one that is so far off that the pause would be yet to come.
 */
export function stopAtClientMs({ atServerMs }: Timeline, clock: ClockState, nowMs: number): number {
  if (!clock.line) return nowMs
  const stopMs = clientTimeAt(clock, atServerMs + limits.stopAfterMs)
  return stopMs > nowMs + 2 * limits.stopAfterMs ? nowMs : Math.max(nowMs, stopMs)
}

/** Returns when the player is to be silent. A video or streaming player takes some time to stop, and is stopped at once. */
export function stopsAtClientMs({ timeline, clock, nowMs, nudgeMs, capabilities }: FollowCall): number {
  const isLibrary = capabilities.profile === 'library' || capabilities.profile === 'element'
  return isLibrary ? Math.max(nowMs, stopAtClientMs(timeline, clock, nowMs) + nudgeMs) : nowMs
}

/** Returns the time from a call until the sound, as measured or from the profile; 0 for a player that can schedule. */
export function latencyMs(call: FollowCall, kind: 'play' | 'align'): number {
  if (call.capabilities.canSchedule) return 0
  const { latencies } = call.history
  return kind === 'play'
    ? (latencies.start.meanMs ?? call.profile.startLatencyMs)
    : (latencies.seek.meanMs ?? call.profile.seekLatencyMs)
}

/** Returns the current target line. A refined clock skew moves only the past of the line. */
export function targetLine(call: FollowCall): TargetLine {
  const { timeline, nowMs, clock } = call
  const startMs = startsAtClientMs(call)
  const elapsedMs = serverTimeAt(clock, nowMs) - timeline.atServerMs
  const runsSinceMs = startMs > nowMs ? startMs : nowMs - elapsedMs
  return {
    trackId: timeline.trackId,
    isPlaying: timeline.isPlaying,
    originMs: (timeline.isPlaying ? runsSinceMs : 0) - timeline.positionMs + call.nudgeMs,
    seenAtMs: nowMs,
  }
}

/** Whether the line changed by more than the slewing of the clock explains. */
export function hasJumped(before: TargetLine | null, now: TargetLine): boolean {
  // Without an earlier line the clock has just become usable.
  if (!before) return false
  if (before.trackId !== now.trackId || before.isPlaying !== now.isPlaying) return true
  const slewedMs = ((now.seenAtMs - before.seenAtMs) / limits.clockSlewPerMs) * limits.clockSlewMs
  return Math.abs(now.originMs - before.originMs) > 1 + 1.1 * slewedMs
}

/** Whether the timeline has reached the track's end, where the server takes over. */
export function isPastEnd(call: FollowCall): boolean {
  const { durationMs } = call.timeline
  return (
    durationMs !== null &&
    targetPosition(call, call.nowMs) + call.nudgeMs >= durationMs - Math.min(endMarginMs, durationMs / 4)
  )
}

/** Returns the next point of the target line that the player can reach. */
function nextStartPoint(
  call: FollowCall,
  kind: 'play' | 'align',
): { positionMs: number; atClientMs: number } {
  const soonestMs = call.capabilities.canSchedule ? nextSchedule(call) : call.nowMs + latencyMs(call, kind)
  const positionMs = targetPosition(call, soonestMs)
  // A nudge can move the target before 0:00; then the start is delayed instead.
  return { positionMs: Math.max(0, positionMs), atClientMs: soonestMs + Math.max(0, -positionMs) }
}

function nextSchedule(call: FollowCall): number {
  const startMs = startsAtClientMs(call)
  return startMs > call.nowMs + nearestScheduleMs ? startMs : call.nowMs + scheduleAheadMs
}

/** Samples are ignored for this long after an action, on top of its latency. */
const settleMs = 500
/** The maximum of automatic corrections per minute; explicit actions do not count. */
const correctionsPerMinute = 3

/** Whether another automatic correction is allowed, which prevents endless seeking. */
export function mayCorrect({ history, nowMs }: FollowCall): boolean {
  return recentCorrections(history, nowMs).length < correctionsPerMinute
}

/**
 * Starts or aligns the player at the next point of the timeline that it can reach.
 * @param correctsErrorMs the error that an automatic correction is to remove; null for an explicit action
 */
export function startOrAlign(
  call: FollowCall,
  kind: 'play' | 'align',
  correctsErrorMs: number | null,
): FollowOutcome {
  const { nowMs, history } = call
  const point = nextStartPoint(call, kind)
  return {
    action: { type: kind === 'play' ? 'play' : 'alignAt', ...point },
    history: {
      ...forgetErrors(history),
      isAlignDue: false,
      rate: 1,
      ignoreUntilMs: point.atClientMs + settleMs,
      ...(correctsErrorMs === null
        ? { bandScale: 1, failedCorrections: 0 }
        : { correctedAtMs: [...recentCorrections(history, nowMs), nowMs] }),
      lastAction: {
        kind,
        calledAtMs: nowMs,
        soundsAtMs: point.atClientMs,
        correctsErrorMs,
        isPending: true,
      },
    },
    ...notCompared,
    cause: 'correcting',
    wakeAtMs: null,
  }
}

/** Stops the player, at once unless another instant is given, and moves it to a position. */
export function pauseAt(call: FollowCall, positionMs: number, atClientMs = call.nowMs): FollowOutcome {
  const { nowMs, history } = call
  return {
    action: { type: 'pause', positionMs: Math.max(0, positionMs), atClientMs },
    history: {
      ...forgetErrors(history),
      isAlignDue: false,
      rate: 1,
      ignoreUntilMs: nowMs + settleMs,
      lastAction: {
        kind: 'pause',
        calledAtMs: nowMs,
        soundsAtMs: nowMs,
        correctsErrorMs: null,
        isPending: false,
      },
    },
    ...notCompared,
    cause: call.timeline.isPlaying ? 'correcting' : 'paused',
    wakeAtMs: null,
  }
}

/** Discards the measured errors of an unsteady player, and ignores its samples until it has settled. */
export function resetErrors(history: FollowHistory, nowMs: number): FollowHistory {
  return {
    ...history,
    errors: [],
    samplesAboveBand: 0,
    ignoreUntilMs: Math.max(history.ignoreUntilMs, nowMs + settleMs),
  }
}

function forgetErrors(history: FollowHistory): FollowHistory {
  return { ...history, errors: [], samplesAboveBand: 0, progress: null, lastSample: null }
}

function recentCorrections({ correctedAtMs }: FollowHistory, nowMs: number): readonly number[] {
  return correctedAtMs.filter((atMs) => nowMs - atMs < minuteMs)
}
