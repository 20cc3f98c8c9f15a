import { limits } from '../../limits.ts'

/** The schedule of clock probes: a burst after an event, then at intervals. */
export interface ProbeSchedule {
  isHidden: boolean
  /** Probes of the burst that remain to be sent. */
  burstLeft: number
  /** When the next probe is due, on the client's clock in ms. */
  nextAtMs: number
}

/** `due`: `nextAtMs` is reached. All others but `hidden` start a burst. */
export type ProbeEvent = 'due' | 'connected' | 'visible' | 'hidden' | 'online'

export interface ProbeStep {
  schedule: ProbeSchedule
  /** Send a probe now. */
  isProbeDue: boolean
}

/** Starts a burst whose first probe is due now. */
export function startProbes(nowMs: number, isHidden: boolean): ProbeSchedule {
  return { isHidden, burstLeft: limits.probeBurstCount, nextAtMs: nowMs }
}

/** Advances the schedule. A probe later than the wake gap means that the machine was asleep, and starts a burst. */
export function stepProbes(schedule: ProbeSchedule, event: ProbeEvent, nowMs: number): ProbeStep {
  const hasSlept = nowMs - schedule.nextAtMs > limits.wakeGapMs
  const isHidden = event === 'hidden' || (event !== 'visible' && schedule.isHidden)
  const isBurst = hasSlept || event === 'connected' || event === 'visible' || event === 'online'
  if (isBurst) return sendProbe(startProbes(nowMs, isHidden), nowMs)
  const current = { ...schedule, isHidden }
  return nowMs < schedule.nextAtMs ? { schedule: current, isProbeDue: false } : sendProbe(current, nowMs)
}

function sendProbe(schedule: ProbeSchedule, nowMs: number): ProbeStep {
  const burstLeft = Math.max(0, schedule.burstLeft - 1)
  const pauseMs = schedule.isHidden ? limits.backgroundPingMs : limits.probeIntervalMs
  const nextAtMs = nowMs + (burstLeft > 0 ? limits.probeBurstGapMs : pauseMs)
  return { schedule: { ...schedule, burstLeft, nextAtMs }, isProbeDue: true }
}
