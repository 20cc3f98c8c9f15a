import type { ClientAck } from '@earshot/core/protocol/socket-events'
import {
  addProbe,
  changePath,
  clientTimeAt,
  estimateClock,
  initialClock,
  serverTimeAt,
  type ClockEstimate,
  type ClockState,
} from '@earshot/core/sync/clock/clock-offset'
import {
  startProbes,
  stepProbes,
  type ProbeEvent,
  type ProbeSchedule,
} from '@earshot/core/sync/clock/probe-schedule'
import { wallNow } from '../wall-clock.ts'
import { watchPage } from './page-activity.ts'

/** An estimate of the server's clock. Server and client instants in ms. */
export interface ServerClock {
  state(): ClockState
  serverNow(): number
  serverTimeOf(clientMs: number): number
  clientTimeOf(serverMs: number): number
  estimate(): ClockEstimate
  /** Sends an extra probe; resolves with its round trip in ms, or null without an answer. Never rejects. */
  probe(): Promise<number | null>
  /** Measures fast after connecting; discards the samples of another server. */
  onConnected(server: string): void
  /** Measures fast again, such as after the machine slept. */
  remeasure(): void
  /** Call when the sound starts or stops: a hidden tab that sounds is probed like a visible one. */
  setSounding(isSounding: boolean): void
  stop(): void
}

interface ServerClockParts {
  /** Sends a probe with the client's time; rejects without a timely answer. */
  sendProbe: (time: number) => Promise<ClientAck<'ping'>>
  /** Called after every probe with its round trip in ms, or null without an answer. */
  onProbe: (rttMs: number | null) => void
  /** Returns a random number in [0, 1), by which the intervals of several pages differ. */
  random: () => number
}

export function startServerClock({ sendProbe, onProbe, random }: ServerClockParts): ServerClock {
  let clock = initialClock
  let schedule: ProbeSchedule | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let measuredServer: string | null = null
  let isSounding = false
  let isStopped = false

  const probe = async (): Promise<number | null> => {
    const sentAtMs = wallNow()
    try {
      const { receivedAtMs: serverReceivedAtMs, sentAtMs: serverSentAtMs } = await sendProbe(sentAtMs)
      const returnedAtMs = wallNow()
      if (isStopped) return null
      const stepMs = readCoarseStep()
      clock = addProbe(clock, { sentAtMs, serverReceivedAtMs, serverSentAtMs, returnedAtMs, stepMs })
      const rttMs = returnedAtMs - sentAtMs - (serverSentAtMs - serverReceivedAtMs)
      onProbe(rttMs)
      return rttMs
    } catch {
      if (!isStopped) onProbe(null)
      return null
    }
  }

  const step = (event: ProbeEvent) => {
    const nowMs = wallNow()
    schedule ??= startProbes(nowMs, document.hidden, isSounding)
    const next = stepProbes(schedule, event, nowMs, { clock, random: random() })
    schedule = next.schedule
    if (next.isProbeDue) void probe()
    clearTimeout(timer)
    timer = setTimeout(() => step('due'), Math.max(0, schedule.nextAtMs - nowMs))
  }

  const stopWatching = watchPage((event) => {
    if (schedule) step(event)
  })

  return {
    state: () => clock,
    serverNow: () => serverTimeAt(clock, wallNow()),
    serverTimeOf: (clientMs) => serverTimeAt(clock, clientMs),
    clientTimeOf: (serverMs) => clientTimeAt(clock, serverMs),
    estimate: () => estimateClock(clock, wallNow()),
    probe,
    onConnected(server) {
      clock = server === measuredServer ? changePath(clock, wallNow()) : initialClock
      measuredServer = server
      step('connected')
    },
    remeasure: () => step('online'),
    setSounding(next) {
      if (next === isSounding) return
      isSounding = next
      if (schedule) step(isSounding ? 'sounding' : 'silent')
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      stopWatching()
    },
  }
}

/**
 * Firefox that resists fingerprinting, such as Tor Browser and LibreWolf, rounds the page's clock to multiples of
 * this, ms.
 */
const coarseStepMs = 16.667

/** Returns the step of the page's clock if it is that coarse; 0 for a finer one, which hardly ever is at such a multiple. */
function readCoarseStep(): number {
  const steps = performance.now() / coarseStepMs
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? coarseStepMs : 0
}
