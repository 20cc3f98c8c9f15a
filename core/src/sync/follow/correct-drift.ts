import { minuteMs } from '../../clock.ts'
import { median } from '../../statistics.ts'
import { estimateClock, slewLeftMs } from '../clock/clock-offset.ts'
import type { CorrectionProfile } from './correction-profiles.ts'
import { mayCorrect, startOrAlign } from './follow-actions.ts'
import { type FollowCall, type FollowHistory, type FollowOutcome, hold } from './follow-state.ts'
import { updateLatency } from './player-state.ts'

const medianSamples = 3
const failuresBeforeWidening = 3
/** For this long an error of a start is corrected by a seek from `startSeekAboveMs` on. */
const startLastsMs = 3_000
/** Less than this is left of a slew that is over. */
const slewedMs = 0.5
/** A faster correction would swing: the median is of samples before it, and those of a hidden page are 1 s apart. */
const samplesPerCorrection = 4
/** The maximum widening of the dead band. */
const maxBandScale = 8

/**
 * Records the error of a steadily playing player, and corrects it according to the player's profile.
 * @param everyMs the time since the sample before
 */
export function correctDrift(call: FollowCall, errorMs: number, everyMs: number): FollowOutcome {
  const errors = [...call.history.errors, errorMs].slice(-medianSamples)
  if (errors.length < medianSamples) return reportSync({ ...call, history: { ...call.history, errors } })
  const medianMs = median(errors)
  const history = { ...narrowBand(call, evaluateAction(call, medianMs), medianMs), errors }
  const { profile } = call
  const isAbove = Math.abs(medianMs) > seekAboveMs(call) * history.bandScale
  const samplesAboveBand = isAbove ? history.samplesAboveBand + 1 : 0
  const counted = { ...call, history: { ...history, samplesAboveBand } }
  if (samplesAboveBand >= profile.seekAfterSamples && isCooledDown(counted) && mayCorrect(counted)) {
    const outcome = startOrAlign(counted, 'align', medianMs)
    if (Math.abs(medianMs) > profile.seekAboveMs) return outcome
    // A start has at most one such seek, so it is not one of the few of a minute.
    const { correctedAtMs } = call.history
    return { ...outcome, history: { ...outcome.history, correctedAtMs } }
  }
  return correctByRate(counted, medianMs, everyMs)
}

/** Evaluates the latest action: the device's latency, and whether the error became smaller. */
function evaluateAction({ history, capabilities }: FollowCall, medianMs: number): FollowHistory {
  const { lastAction } = history
  if (!lastAction?.isPending) return history
  const seen = { ...history, lastAction: { ...lastAction, isPending: false } }
  const learnt = capabilities.canSchedule ? seen : learnLatency(seen, medianMs)
  return lastAction.correctsErrorMs === null
    ? learnt
    : countFailure(learnt, medianMs, lastAction.correctsErrorMs)
}

function learnLatency(history: FollowHistory, medianMs: number): FollowHistory {
  const { lastAction, latencies } = history
  if (!lastAction || lastAction.kind === 'pause') return history
  const which = lastAction.kind === 'play' ? 'start' : 'seek'
  const expectedMs = lastAction.soundsAtMs - lastAction.calledAtMs
  const latency = updateLatency(latencies[which], expectedMs - medianMs, expectedMs)
  return { ...history, latencies: { ...latencies, [which]: latency } }
}

/** Doubles the band after three corrections that hardly reduce the error. */
function countFailure(history: FollowHistory, medianMs: number, correctsErrorMs: number): FollowHistory {
  const isBetter = Math.abs(medianMs) < Math.abs(correctsErrorMs) * 0.75
  const failedCorrections = isBetter ? 0 : history.failedCorrections + 1
  if (failedCorrections < failuresBeforeWidening) return { ...history, failedCorrections }
  return { ...history, failedCorrections: 0, bandScale: Math.min(maxBandScale, history.bandScale * 2) }
}

/** Halves a widened band after a minute in which the error needed none, and for one more attempt after ten. */
function narrowBand({ nowMs, profile }: FollowCall, history: FollowHistory, medianMs: number): FollowHistory {
  const { bandScale, lastAction } = history
  const isWideNeeded = bandScale === 1 || Math.abs(medianMs) > profile.seekAboveMs
  const calmSinceMs = isWideNeeded ? nowMs : history.calmSinceMs
  const triedAtMs = Math.max(history.narrowedAtMs, lastAction?.calledAtMs ?? nowMs)
  const isRetryDue = bandScale > 1 && nowMs - triedAtMs >= 10 * minuteMs
  if (nowMs - calmSinceMs < minuteMs && !isRetryDue) return { ...history, calmSinceMs }
  // The first correction that fails doubles it again.
  const failedCorrections = failuresBeforeWidening - 1
  return {
    ...history,
    calmSinceMs: nowMs,
    narrowedAtMs: nowMs,
    bandScale: bandScale / 2,
    failedCorrections,
  }
}

/** Returns the errors above which a seek corrects. That of a start is not known yet while the clock is slewed. */
function seekAboveMs({ profile, history: { lastAction }, clock, nowMs }: FollowCall): number {
  const isStart = lastAction?.correctsErrorMs === null && nowMs - lastAction.soundsAtMs < startLastsMs
  const { seekAboveMs: usualMs, startSeekAboveMs = usualMs } = profile
  return isStart && slewLeftMs(clock, nowMs) < slewedMs ? startSeekAboveMs : usualMs
}

/** The cooldown applies between seeks; the error of a start may be corrected at once. */
function isCooledDown({ history: { lastAction }, profile, nowMs }: FollowCall): boolean {
  return lastAction?.kind !== 'align' || nowMs - lastAction.calledAtMs >= profile.cooldownMs
}

function correctByRate(call: FollowCall, medianMs: number, everyMs: number): FollowOutcome {
  const { profile, history } = call
  const rate = chooseRate(profile, medianMs, history, everyMs)
  const judged = reportSync({ ...call, history: { ...history, rate } })
  return rate === history.rate ? judged : { ...judged, action: { type: 'setRate', rate } }
}

function chooseRate(
  profile: CorrectionProfile,
  errorMs: number,
  history: FollowHistory,
  everyMs: number,
): number {
  if (!profile.rate) return 1
  const bandMs = history.rate === 1 ? profile.deadBandMs * history.bandScale : profile.leaveBandMs
  if (Math.abs(errorMs) <= bandMs) return 1
  if (profile.rate.kind === 'fixed') return errorMs > 0 ? profile.rate.slower : profile.rate.faster
  const { maxDeviation, overMs } = profile.rate
  const lastsMs = Math.max(overMs, samplesPerCorrection * everyMs)
  const wanted = Math.max(-maxDeviation, Math.min(maxDeviation, errorMs / lastsMs))
  const rate = 1 - Math.round(wanted * 10_000) / 10_000
  // Avoids calls for changes too small to measure.
  return Math.abs(rate - history.rate) < maxDeviation / 20 ? history.rate : rate
}

/** Returns the error and whether the player is in sync, without a correction. */
export function reportSync({ profile, history, clock, nowMs, sample }: FollowCall): FollowOutcome {
  if (history.errors.length === 0) return hold(history, 'correcting')
  const errorMs = median(history.errors)
  const uncertaintyMs = estimateClock(clock, nowMs).uncertaintyMs + (sample?.uncertaintyMs ?? 0)
  const isInSync = Math.abs(errorMs) <= profile.inSyncMs * history.bandScale
  const cause = isInSync ? 'in_sync' : 'correcting'
  return hold(history, clock.isSettled ? cause : 'no_clock', { errorMs, uncertaintyMs })
}
