import type { FollowCall, FollowHistory, FollowOutcome } from './follow-state.ts'
import { nextStartPoint } from './follow-target.ts'

/** After an action of one's own the player is not judged for so long, on top of its latency. */
const settleMs = 500
/** No device gets more corrections a minute than this, whatever its errors: explicit actions do not count. */
const correctionsPerMinute = 3
const minuteMs = 60_000

/** Whether one more correction of one's own is admitted: nothing seeks endlessly. */
export function mayCorrect({ history, nowMs }: FollowCall): boolean {
  return recentCorrections(history, nowMs).length < correctionsPerMinute
}

/**
 * Tells the player to sound where the timeline is at the next instant that it can keep. `correctsErrorMs` marks a
 * correction of one's own; an explicit action has none.
 */
export function sound(
  call: FollowCall,
  kind: 'play' | 'align',
  correctsErrorMs: number | null,
): FollowOutcome {
  const { nowMs, history } = call
  const point = nextStartPoint(call, kind)
  const corrected = recentCorrections(history, nowMs)
  return {
    action: { type: kind === 'play' ? 'play' : 'alignAt', ...point },
    history: {
      ...forgetErrors(history),
      isAlignDue: false,
      rate: 1,
      judgeFromMs: point.atClientMs + settleMs,
      correctedAtMs: correctsErrorMs === null ? corrected : [...corrected, nowMs],
      lastAction: {
        kind,
        calledAtMs: nowMs,
        soundsAtMs: point.atClientMs,
        correctsErrorMs,
        isUnjudged: true,
      },
    },
    errorMs: null,
    cause: 'correcting',
    wakeAtMs: null,
  }
}

/** Lets the player stand still at a position. */
export function standAt(call: FollowCall, positionMs: number): FollowOutcome {
  const { nowMs, history } = call
  return {
    action: { type: 'pause', positionMs: Math.max(0, positionMs) },
    history: {
      ...forgetErrors(history),
      isAlignDue: false,
      rate: 1,
      judgeFromMs: nowMs + settleMs,
      lastAction: {
        kind: 'pause',
        calledAtMs: nowMs,
        soundsAtMs: nowMs,
        correctsErrorMs: null,
        isUnjudged: false,
      },
    },
    errorMs: null,
    cause: call.timeline.isPlaying ? 'correcting' : 'paused',
    wakeAtMs: null,
  }
}

/** The player is not steady: what was seen so far counts no more, nor what is seen before it has settled. */
export function unsettle(history: FollowHistory, nowMs: number): FollowHistory {
  return {
    ...history,
    errors: [],
    samplesAboveBand: 0,
    judgeFromMs: Math.max(history.judgeFromMs, nowMs + settleMs),
  }
}

function forgetErrors(history: FollowHistory): FollowHistory {
  return { ...history, errors: [], samplesAboveBand: 0, progress: null, lastSample: null }
}

function recentCorrections({ correctedAtMs }: FollowHistory, nowMs: number): readonly number[] {
  return correctedAtMs.filter((atMs) => nowMs - atMs < minuteMs)
}
