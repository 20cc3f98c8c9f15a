import type { ClientAck } from '@earshot/core/protocol/socket-events'
import {
  addProbe,
  clientTimeAt,
  estimateClock,
  initialClock,
  serverTimeAt,
  type ClockEstimate,
  type ClockState,
  startProbes,
  stepProbes,
  type ProbeEvent,
  type ProbeSchedule,
} from '@earshot/core/sync/clock/clock-offset'
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
  stop(): void
}

export interface ServerClockParts {
  /** Sends a probe with the client's time; rejects without a timely answer. */
  sendProbe: (time: number) => Promise<ClientAck<'ping'>>
  /** Called after every probe with its round trip in ms, or null without an answer. */
  onProbe: (rttMs: number | null) => void
}

export function startServerClock({ sendProbe, onProbe }: ServerClockParts): ServerClock {
  let clock = initialClock
  let schedule: ProbeSchedule | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let measuredServer: string | null = null
  let isStopped = false

  const probe = async (): Promise<number | null> => {
    const sentAtMs = wallNow()
    try {
      const { receivedAtMs, sentAtMs: serverSentAtMs } = await sendProbe(sentAtMs)
      const returnedAtMs = wallNow()
      if (isStopped) return null
      clock = addProbe(clock, { sentAtMs, serverReceivedAtMs: receivedAtMs, serverSentAtMs, returnedAtMs })
      const rttMs = returnedAtMs - sentAtMs - (serverSentAtMs - receivedAtMs)
      onProbe(rttMs)
      return rttMs
    } catch {
      if (!isStopped) onProbe(null)
      return null
    }
  }

  const step = (event: ProbeEvent) => {
    const nowMs = wallNow()
    schedule ??= startProbes(nowMs, document.hidden)
    const next = stepProbes(schedule, event, nowMs)
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
      if (server !== measuredServer) clock = initialClock
      measuredServer = server
      step('connected')
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      stopWatching()
    },
  }
}

/**
 * The client's monotonic wall clock: milliseconds since the Unix epoch by the system clock at page load, from then
 * on by the monotonic one. Setting the system clock does not move it; `Date.now()` is never used for sync.
 */
export const wallNow = (): number => performance.timeOrigin + performance.now()
