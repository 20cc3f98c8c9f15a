import { limits } from '../../limits.ts'
import type { ClockState } from './clock-offset.ts'
import { minHistory } from './sample-estimates.ts'

/** The schedule of clock probes: a burst after an event, then at intervals that depend on the path. */
export interface ProbeSchedule {
  isHidden: boolean
  isSounding: boolean
  /** Probes of the burst that remain to be sent, with its tail. */
  burstLeft: number
  /** When the next probe is due, on the client's clock in ms. */
  nextAtMs: number
}

/** `due`: `nextAtMs` is reached. `connected`, `visible` and `online` start a burst. */
export type ProbeEvent = 'due' | 'connected' | 'visible' | 'hidden' | 'online' | 'sounding' | 'silent'

/** The conditions on which the intervals depend. */
interface ProbeConditions {
  clock: ClockState
  /** A random number in [0, 1), by which the intervals of several clients differ. */
  random: number
}

interface ProbeStep {
  schedule: ProbeSchedule
  /** Send a probe now. */
  isProbeDue: boolean
}

/** The probes of a burst, and of the tail that is sent on unsteady paths only. */
const burstWithTail = limits.probeBurstCount + limits.probeTailCount

/** Starts a burst whose first probe is due now. */
export function startProbes(nowMs: number, isHidden: boolean, isSounding = false): ProbeSchedule {
  return { isHidden, isSounding, burstLeft: burstWithTail, nextAtMs: nowMs }
}

/** Advances the schedule. A probe later than the wake gap means that the machine was asleep, and starts a burst. */
export function stepProbes(
  schedule: ProbeSchedule,
  event: ProbeEvent,
  nowMs: number,
  conditions: ProbeConditions,
): ProbeStep {
  const isHidden = event === 'hidden' || (event !== 'visible' && schedule.isHidden)
  const isSounding = event === 'sounding' || (event !== 'silent' && schedule.isSounding)
  const hasSlept = nowMs - schedule.nextAtMs > limits.wakeGapMs
  const isBurst = hasSlept || event === 'connected' || event === 'visible' || event === 'online'
  if (isBurst) return sendProbe(startProbes(nowMs, isHidden, isSounding), nowMs, conditions)
  const current = { ...schedule, isHidden, isSounding }
  if (nowMs >= schedule.nextAtMs) return sendProbe(current, nowMs, conditions)
  // The long interval of a silent hidden tab ends when its sound starts.
  const soonestMs = event === 'sounding' ? nowMs + intervalMs(current, conditions) : Infinity
  return {
    schedule: { ...current, nextAtMs: Math.min(current.nextAtMs, soonestMs) },
    isProbeDue: false,
  }
}

function sendProbe(schedule: ProbeSchedule, nowMs: number, conditions: ProbeConditions): ProbeStep {
  const sent = { ...schedule, burstLeft: Math.max(0, schedule.burstLeft - 1) }
  return { schedule: { ...sent, nextAtMs: nowMs + gapMs(sent, conditions) }, isProbeDue: true }
}

function gapMs(schedule: ProbeSchedule, conditions: ProbeConditions): number {
  const { burstLeft } = schedule
  if (burstLeft > limits.probeTailCount) return limits.probeBurstGapMs
  const isTail = burstLeft > 0 && isUnsteady(conditions.clock) && !isIdle(schedule)
  if (!isTail) return intervalMs(schedule, conditions)
  return conditions.clock.isSettled ? limits.probeTailGapMs : limits.probeUnsettledGapMs
}

const isIdle = ({ isHidden, isSounding }: ProbeSchedule): boolean => isHidden && !isSounding

function intervalMs(schedule: ProbeSchedule, { clock, random }: ProbeConditions): number {
  if (isIdle(schedule)) return limits.backgroundPingMs
  return pathIntervalMs(clock) * (1 + limits.probeJitter * (2 * random - 1))
}

/** More probes only help where the path is unsteady; a settled steady one needs few. */
function pathIntervalMs(clock: ClockState): number {
  if (isUnsteady(clock)) return limits.probeUnsteadyIntervalMs
  const isSettled = clock.line?.samplingErrorMs === 0 && clock.history.length >= minHistory
  return isSettled ? limits.probeSettledIntervalMs : limits.probeIntervalMs
}

function isUnsteady({ line }: ClockState): boolean {
  return line !== null && line.samplingErrorMs > limits.clockUnsteadyMs
}
