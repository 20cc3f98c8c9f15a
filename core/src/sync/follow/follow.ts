import { correctDrift, judgeErrors } from './correct-drift.ts'
import { mayCorrect, sound, standAt, unsettle } from './follow-actions.ts'
import {
  type FollowCall,
  type FollowHistory,
  type FollowInput,
  type FollowOutcome,
  hold,
  toFollowCall,
} from './follow-state.ts'
import {
  hasJumped,
  isPastEnd,
  latencyMs,
  startsAtClientMs,
  targetLine,
  targetPosition,
} from './follow-target.ts'
import type { PositionSample } from './player-state.ts'
import { isAdvancing, updateProgress } from './progress.ts'

/** A listener without a usable clock waits so long for it, and then does with less. */
const clockWaitMs = 1_000
/** A player that was told to play and does not is told again after this, or its cool-down. */
const playRetryMs = 2_000
/** A standing player this near to where it should stand is left alone. */
const standBandMs = 20

/**
 * What a listener's player should do now to be where the room's timeline is. To be called four times a second, at
 * `wakeAtMs`, and whenever timeline, clock or player have changed; each outcome's `history` goes into the next call.
 * Explicit changes (a command, a join, the user's request or nudge, a clock that was set) align at once; drift is
 * corrected by the table of the player's profile, never by more than three seeks a minute.
 */
export function follow(input: FollowInput): FollowOutcome {
  const call = toFollowCall(noticeChanges(input))
  const { timeline, history, sample, obstacle } = call
  if (!timeline.trackId) return followNothing(call)
  if (call.loadedTrackId !== timeline.trackId) return load(call, timeline.trackId)
  if (obstacle) return hold(unsettle(history, call.nowMs), obstacle)
  if (!sample || sample.status === 'idle' || sample.status === 'loading' || sample.status === 'error') {
    return hold(unsettle(history, call.nowMs), 'buffering')
  }
  if (!timeline.isPlaying) return followPaused(call, sample)
  if (isWaitingForClock(call)) return hold(history, 'no_clock')
  if (isPastEnd(call)) return hold(history, 'in_sync')
  const isStanding = sample.status !== 'playing' && sample.status !== 'buffering'
  return isStanding ? followStart(call, sample) : followPlaying(call, sample)
}

function noticeChanges(input: FollowInput): FollowInput {
  const { history, nowMs, clock, isAlignRequested } = input
  const withoutClockSinceMs = clock.isUsable ? null : (history.withoutClockSinceMs ?? nowMs)
  const line = targetLine(toFollowCall(input))
  // Before the clock is usable each probe moves the line; what counts is where it is then.
  const isKnown = clock.isUsable || !line.isPlaying
  const isAlignDue = history.isAlignDue || isAlignRequested || (isKnown && hasJumped(history.line, line))
  return {
    ...input,
    history: { ...history, withoutClockSinceMs, isAlignDue, line: isKnown ? line : history.line },
  }
}

function followNothing(call: FollowCall): FollowOutcome {
  const isSounding = call.sample?.status === 'playing' || call.sample?.status === 'buffering'
  return isSounding ? standAt(call, 0) : hold(call.history, 'paused')
}

/** The first track of somebody who joins is loaded at 0, and goes to where the room is when it can play. */
function load(call: FollowCall, trackId: string): FollowOutcome {
  const { timeline, history, loadedTrackId, nowMs } = call
  const isJoin = timeline.isPlaying && loadedTrackId === null
  const positionMs = isJoin ? 0 : Math.max(0, targetPosition(call, nowMs))
  const fresh: FollowHistory = {
    ...unsettle(history, nowMs),
    isAlignDue: true,
    lastAction: null,
    progress: null,
    rate: 1,
    failedCorrections: 0,
    bandScale: 1,
  }
  return {
    action: { type: 'load', trackId, positionMs },
    history: fresh,
    errorMs: null,
    cause: 'buffering',
    wakeAtMs: null,
  }
}

function followPaused(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, nowMs, profile } = call
  const positionMs = Math.max(0, targetPosition(call, nowMs))
  const isSounding = sample.status === 'playing' || sample.status === 'buffering'
  if (isSounding) {
    const isOnItsWay = history.lastAction?.kind === 'pause' && nowMs < history.judgeFromMs
    return isOnItsWay && !history.isAlignDue ? hold(history, 'paused') : standAt(call, positionMs)
  }
  const bandMs = Math.max(standBandMs, profile.deadBandMs)
  const isOff = Math.abs(sample.positionMs - positionMs) > bandMs
  if (history.isAlignDue && isOff) return standAt(call, positionMs)
  return hold({ ...history, isAlignDue: false }, 'paused')
}

function isWaitingForClock({ clock, history, nowMs }: FollowCall): boolean {
  return !clock.isUsable && nowMs - (history.withoutClockSinceMs ?? nowMs) < clockWaitMs
}

/** The timeline plays and the player stands: it is to begin at the timeline's instant, or to fall in. */
function followStart(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, nowMs, profile } = call
  const hasTried = history.lastAction !== null && history.lastAction.kind !== 'pause'
  if (hasTried && !history.isAlignDue) {
    const triedAtMs = history.lastAction?.soundsAtMs ?? nowMs
    const isTooSoon = nowMs < triedAtMs + Math.max(playRetryMs, profile.cooldownMs)
    const hasNothingLeft = sample.status === 'ended' && call.timeline.durationMs === 0
    if (isTooSoon || hasNothingLeft || !mayCorrect(call)) return hold(history, 'buffering')
    return sound(call, 'play', sample.positionMs - targetPosition(call, nowMs))
  }
  return waitForStart(call, 'play') ?? sound(call, 'play', null)
}

/** A player that cannot schedule is called as much earlier as it takes to sound. Null once that time has come. */
function waitForStart(call: FollowCall, kind: 'play' | 'align'): FollowOutcome | null {
  if (call.capabilities.canSchedule) return null
  const callAtMs = startsAtClientMs(call) - latencyMs(call, kind)
  return callAtMs > call.nowMs ? hold(call.history, 'in_sync', { wakeAtMs: callAtMs }) : null
}

function followPlaying(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, nowMs } = call
  if (history.isAlignDue || history.lastAction?.kind === 'pause') {
    const wait = waitForStart(call, 'play')
    if (!wait) return sound(call, 'align', null)
    return history.isAlignDue ? standAt(call, targetPosition(call, nowMs)) : wait
  }
  if (sample.atClientMs <= (history.lastSample?.atClientMs ?? 0)) return judgeErrors(call)
  const isUnderWatch = sample.status === 'buffering' || (history.progress?.isStalled ?? false)
  if (!isUnderWatch && sample.atClientMs < history.judgeFromMs) return hold(history, 'correcting')
  return followSample(call, sample)
}

/** Tells a player that moves on from one that does not: the first is corrected, the second waited for. */
function followSample(call: FollowCall, sample: PositionSample): FollowOutcome {
  const wasStalled = call.history.progress?.isStalled ?? false
  const progress = updateProgress(call.history.progress, sample)
  const history = { ...call.history, progress, lastSample: sample }
  const current = { ...call, history }
  if (progress.isStalled || sample.status === 'buffering') {
    return hold(forgetOutcome(unsettle(history, call.nowMs), progress.isStalled), 'buffering')
  }
  const errorMs = sample.positionMs - targetPosition(current, sample.atClientMs)
  if (!isAdvancing(call.history.lastSample, sample)) return judgeErrors(current)
  if (wasStalled && mayCorrect(current)) return sound(current, 'align', errorMs)
  return correctDrift(current, errorMs)
}

/** How long a stalled player took says nothing about the device. */
function forgetOutcome(history: FollowHistory, isStalled: boolean): FollowHistory {
  if (!isStalled || !history.lastAction) return history
  return { ...history, lastAction: { ...history.lastAction, isUnjudged: false } }
}
