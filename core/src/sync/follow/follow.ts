import { correctDrift, reportSync } from './correct-drift.ts'
import {
  endMarginMs,
  hasJumped,
  isPastEnd,
  latencyMs,
  mayCorrect,
  startOrAlign,
  pauseAt,
  startsAtClientMs,
  stopsAtClientMs,
  targetLine,
  targetPosition,
  resetErrors,
} from './follow-actions.ts'
import {
  type FollowCall,
  type FollowCause,
  type FollowHistory,
  type FollowInput,
  type FollowOutcome,
  hold,
  notCompared,
  toFollowCall,
} from './follow-state.ts'
import { isAdvancing, updateProgress, type PositionSample } from './player-state.ts'

/** The longest wait for a usable clock after its first sample. */
const clockWaitMs = 3_000
/** A player that did not start is started again after this, or its cooldown if longer. */
const playRetryMs = 2_000
/** A player that is about to sound is looked at this often. */
const firstSamplesEveryMs = 50
/** A paused player this close to its target is not moved. */
const pausedBandMs = 20

/**
 * Decides the player's next action to keep it on the room's timeline. Call it four times a second, at `wakeAtMs`, and
 * after each change of timeline, clock or player, with the `history` of the previous outcome. Explicit changes (a
 * command, a join, a user's request or nudge, a clock that was set) align at once; drift is corrected according to
 * the player's profile, with at most three seeks a minute.
 */
export function follow(input: FollowInput): FollowOutcome {
  const call = toFollowCall(noticeChanges(input))
  const { timeline, history, sample, obstacle } = call
  if (!timeline.trackId) return followNothing(call)
  // A player that reached `ended` has unloaded its track.
  const mustReload = timeline.isCueing && sample?.status === 'ended'
  if (mustReload || call.loadedTrackId !== timeline.trackId) return load(call, timeline.trackId)
  if (obstacle) return hold(resetErrors(history, call.nowMs), obstacle)
  if (!sample || sample.status === 'idle' || sample.status === 'loading' || sample.status === 'error') {
    return hold(resetErrors(history, call.nowMs), loadingCause(call))
  }
  if (!timeline.isPlaying) return followPaused(call, sample)
  if (isWaitingForClock(call)) return hold(history, 'no_clock')
  if (isPastEnd(call)) return followEnd(call, sample)
  return isSounding(sample) ? followPlaying(call, sample) : followStart(call, sample)
}

const isSounding = ({ status }: PositionSample): boolean => status === 'playing' || status === 'buffering'

/** A library track whose start is yet to come was loaded ahead, as far as is known. */
function loadingCause(call: FollowCall): FollowCause {
  const { timeline, clock, capabilities, nowMs } = call
  const isToCome = timeline.isPlaying && clock.line !== null && startsAtClientMs(call) > nowMs
  return isToCome && capabilities.profile === 'library' ? 'in_sync' : 'buffering'
}

function noticeChanges(input: FollowInput): FollowInput {
  const { history, nowMs, clock, isAlignRequested } = input
  const isSettling = clock.line !== null && !clock.isUsable
  const clockSettlesSinceMs = isSettling ? (history.clockSettlesSinceMs ?? nowMs) : null
  const line = targetLine(toFollowCall(input))
  // Before the clock is usable each probe moves the line: what has moved then is corrected as drift.
  const isKnown = clock.isUsable || !line.isPlaying
  const hasLineJumped = isKnown && hasJumped(history.line, line)
  const hasClockJumped = clock.jumps !== history.clockJumps
  const isAlignDue = history.isAlignDue || isAlignRequested || hasLineJumped || hasClockJumped
  const noticed = { clockSettlesSinceMs, isAlignDue, line: isKnown ? line : null, clockJumps: clock.jumps }
  return { ...input, history: { ...history, ...noticed } }
}

function followNothing(call: FollowCall): FollowOutcome {
  return call.sample && isSounding(call.sample) ? stop(call, 0) : hold(call.history, 'paused')
}

/** Loads the track: at 0 for a joining listener, who is aligned once the player is ready. */
function load(call: FollowCall, trackId: string): FollowOutcome {
  const { timeline, history, loadedTrackId, nowMs } = call
  const isJoin = timeline.isPlaying && loadedTrackId === null
  const positionMs = isJoin ? 0 : Math.max(0, targetPosition(call, nowMs))
  const fresh: FollowHistory = {
    ...resetErrors(history, nowMs),
    isAlignDue: true,
    lastAction: null,
    progress: null,
    rate: 1,
  }
  return {
    action: { type: 'load', trackId, positionMs },
    history: fresh,
    ...notCompared,
    cause: loadingCause(call),
    wakeAtMs: null,
  }
}

function followPaused(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, nowMs, profile } = call
  const positionMs = Math.max(0, targetPosition(call, nowMs))
  if (isSounding(sample)) {
    const isPausing = history.lastAction?.kind === 'pause' && nowMs < history.ignoreUntilMs
    return isPausing && !history.isAlignDue ? hold(history, 'paused') : stop(call, positionMs)
  }
  const bandMs = Math.max(pausedBandMs, profile.deadBandMs)
  const isOff = Math.abs(sample.positionMs - positionMs) > bandMs
  if (history.isAlignDue && isOff) return pauseAt(call, positionMs)
  return hold({ ...history, isAlignDue: false }, isWaitingForClock(call) ? 'no_clock' : 'paused')
}

/** Stops a player that sounds at the same instant as those of the other listeners. */
function stop(call: FollowCall, positionMs: number): FollowOutcome {
  const stopsAtMs = stopsAtClientMs(call)
  if (call.capabilities.canSchedule || stopsAtMs <= call.nowMs) return pauseAt(call, positionMs, stopsAtMs)
  return hold(call.history, 'paused', { wakeAtMs: stopsAtMs })
}

/** Nothing sounds before the first clock sample: a position guessed from an old stamp is far off. */
function isWaitingForClock({ clock, history, nowMs }: FollowCall): boolean {
  return !clock.isUsable && nowMs - (history.clockSettlesSinceMs ?? nowMs) < clockWaitMs
}

/** Leaves the end of a track to the server. A seek to the end silences, at its instant, a player that sounds elsewhere. */
function followEnd(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, nowMs } = call
  const isElsewhere = Math.abs(sample.positionMs - targetPosition(call, sample.atClientMs)) > endMarginMs
  if (!history.isAlignDue || !isSounding(sample) || !isElsewhere) return hold(history, 'in_sync')
  const startsMs = startsAtClientMs(call)
  if (startsMs > nowMs) return hold(history, 'in_sync', { wakeAtMs: startsMs })
  return pauseAt(call, targetPosition(call, nowMs))
}

/** Starts a stopped player at the timeline's instant, or in the middle of the running track. */
function followStart(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, nowMs, profile } = call
  const hasTried = history.lastAction !== null && history.lastAction.kind !== 'pause'
  if (hasTried && !history.isAlignDue) {
    const triedAtMs = history.lastAction?.soundsAtMs ?? nowMs
    const isTooSoon = nowMs < triedAtMs + Math.max(playRetryMs, profile.cooldownMs)
    const hasNothingLeft = sample.status === 'ended' && call.timeline.durationMs === null
    if (isTooSoon || hasNothingLeft || !mayCorrect(call)) return hold(history, 'buffering')
    return startOrAlign(call, 'play', sample.positionMs - targetPosition(call, nowMs))
  }
  return waitForStart(call, 'play') ?? startOrAlign(call, 'play', null)
}

/** Delays the call of a player that cannot schedule until its latency before the start. Null once it is due. */
function waitForStart(call: FollowCall, kind: 'play' | 'align'): FollowOutcome | null {
  if (call.capabilities.canSchedule) return null
  const callAtMs = startsAtClientMs(call) - latencyMs(call, kind)
  return callAtMs > call.nowMs ? hold(call.history, 'in_sync', { wakeAtMs: callAtMs }) : null
}

function followPlaying(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, nowMs } = call
  if (history.isAlignDue || history.lastAction?.kind === 'pause') {
    const wait = waitForStart(call, 'play')
    if (!wait) return startOrAlign(call, 'align', null)
    return history.isAlignDue ? pauseAt(call, targetPosition(call, nowMs)) : wait
  }
  if (sample.atClientMs <= (history.lastSample?.atClientMs ?? 0)) return reportSync(call)
  const isInterrupted = sample.status === 'buffering' || (history.progress?.isStalled ?? false)
  if (!isInterrupted && sample.atClientMs < history.ignoreUntilMs) return followFirstSamples(call, sample)
  return followSample(call, sample)
}

/**
 * Reports a player that has not settled, without correcting it. One that schedules states its position exactly from its
 * first sample on; until it is in sync, it may not sound yet.
 */
function followFirstSamples(call: FollowCall, sample: PositionSample): FollowOutcome {
  const { history, capabilities, nowMs } = call
  if (!capabilities.canSchedule) return hold(history, 'correcting')
  const soundsAtMs = history.lastAction?.soundsAtMs ?? sample.atClientMs
  if (sample.atClientMs < soundsAtMs) return hold(history, 'correcting', { wakeAtMs: soundsAtMs })
  const errors = [sample.positionMs - targetPosition(call, sample.atClientMs)]
  const report = reportSync({ ...call, history: { ...history, errors } })
  if (report.cause !== 'correcting') return { ...report, history }
  return hold(history, 'correcting', { wakeAtMs: nowMs + firstSamplesEveryMs })
}

/** Corrects a player that advances, and waits for one that does not. */
function followSample(call: FollowCall, sample: PositionSample): FollowOutcome {
  const wasStalled = call.history.progress?.isStalled ?? false
  const progress = updateProgress(call.history.progress, sample)
  const history = { ...call.history, progress, lastSample: sample }
  const current = { ...call, history }
  if (progress.isStalled || sample.status === 'buffering') {
    return hold(forgetOutcome(resetErrors(history, call.nowMs), progress.isStalled), 'buffering')
  }
  const errorMs = sample.positionMs - targetPosition(current, sample.atClientMs)
  if (!isAdvancing(call.history.lastSample, sample)) return reportSync(current)
  if (wasStalled && mayCorrect(current)) return startOrAlign(current, 'align', errorMs)
  const everyMs = sample.atClientMs - (call.history.lastSample?.atClientMs ?? sample.atClientMs)
  return correctDrift(current, errorMs, everyMs)
}

/** Discards the latency of an action during which the player stalled. */
function forgetOutcome(history: FollowHistory, isStalled: boolean): FollowHistory {
  if (!isStalled || !history.lastAction) return history
  return { ...history, lastAction: { ...history.lastAction, isPending: false } }
}
