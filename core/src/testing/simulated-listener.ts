import type { Clock } from '../clock.ts'
import { type ClockState, addProbe, initialClock } from '../sync/clock/clock-offset.ts'
import { follow } from '../sync/follow/follow.ts'
import { type FollowAction, type FollowOutcome, initialFollowHistory } from '../sync/follow/follow-state.ts'
import type { PositionSample } from '../sync/follow/player-state.ts'
import { type ProbeEvent, startProbes, stepProbes } from '../sync/clock/probe-schedule.ts'
import { type Timeline, emptyTimeline, supersedes } from '../sync/timeline.ts'
import { type ClientClock, type ClientClockOptions, createClientClock } from './client-clock.ts'
import type { FakePlayer } from './fake-player.ts'
import type { LossyNetwork } from './lossy-network.ts'
import type { SimulatedRoom } from './simulated-room.ts'

/** A listener's whole client without a browser: probes, clock, timeline, `follow` and a player. */
export interface SimulatedListener {
  readonly timeline: Timeline
  readonly clock: ClockState
  readonly outcome: FollowOutcome | null
  /** How many times the player was told to play, to go elsewhere, or to load, and at which true times. */
  readonly told: readonly { type: string; atMs: number }[]
  /** The listener's own clock, which the sound device goes by too. */
  readonly ownClock: ClientClock
  /** The connection dropped and is back: the snapshot is asked for, the clock measured anew. */
  reconnect(): void
  /** The Sync button. */
  align(): void
  setNudge(ms: number): void
}

export interface SimulatedListenerOptions extends ClientClockOptions {
  trueClock: Clock
  network: LossyNetwork
  room: SimulatedRoom
  player: FakePlayer
}

/** How often the player is looked at. */
const turnMs = 250

export function createSimulatedListener(options: SimulatedListenerOptions): SimulatedListener {
  const { trueClock, network, room, player } = options
  const ownClock = createClientClock(trueClock, options)
  const now = (): number => ownClock.now()

  let clock = initialClock
  let probes = startProbes(now(), false)
  let timeline = emptyTimeline
  let history = initialFollowHistory
  let outcome: FollowOutcome | null = null
  let isAlignRequested = false
  let nudgeMs = 0
  let cancelTurn = (): void => {}
  let cancelProbe = (): void => {}
  const told: { type: string; atMs: number }[] = []

  const probe = (event: ProbeEvent): void => {
    const step = stepProbes(probes, event, now())
    probes = step.schedule
    if (step.isProbeDue) sendProbe()
    cancelProbe()
    cancelProbe = ownClock.after(probes.nextAtMs - now(), () => probe('due'))
  }
  const sendProbe = (): void => {
    const sentAtMs = now()
    network.send('up', () => {
      const serverMs = trueClock.now()
      receive(() => {
        clock = addProbe(clock, {
          sentAtMs,
          serverReceivedAtMs: serverMs,
          serverSentAtMs: serverMs,
          returnedAtMs: now(),
        })
      })
    })
  }
  /** What comes while the machine sleeps is taken in when it wakes. */
  const receive = (take: () => void): void => network.send('down', () => void ownClock.after(0, take))

  const samplePlayer = (): PositionSample | null => {
    const sample = player.sample(ownClock.deviceNow())
    return sample && { ...sample, atClientMs: sample.atClientMs + ownClock.jumpedMs }
  }
  const tellPlayer = (action: FollowAction): void => {
    const isTimed = action.type === 'play' || action.type === 'alignAt'
    const asked = isTimed ? { ...action, atClientMs: action.atClientMs - ownClock.jumpedMs } : action
    player.apply(asked, ownClock.deviceNow())
  }

  const turn = (): void => {
    cancelTurn()
    const nowMs = now()
    outcome = follow({
      nowMs,
      timeline,
      clock,
      capabilities: player.capabilities,
      loadedTrackId: player.loadedTrackId,
      sample: samplePlayer(),
      obstacle: null,
      nudgeMs,
      isAlignRequested,
      history,
    })
    history = outcome.history
    isAlignRequested = false
    if (outcome.action.type !== 'hold') told.push({ type: outcome.action.type, atMs: trueClock.now() })
    tellPlayer(outcome.action)
    const wakeInMs = Math.max(0, (outcome.wakeAtMs ?? Infinity) - nowMs)
    cancelTurn = ownClock.after(Math.min(turnMs, wakeInMs), turn)
  }

  const onTimeline = (next: Timeline): void => {
    ownClock.after(0, () => {
      if (!supersedes(next, timeline)) return
      timeline = next
      turn()
    })
  }
  const connect = (): void => {
    room.join(network, onTimeline)
    probe('connected')
  }
  connect()
  turn()

  return {
    get timeline() {
      return timeline
    },
    get clock() {
      return clock
    },
    get outcome() {
      return outcome
    },
    told,
    ownClock,
    reconnect: connect,
    align() {
      isAlignRequested = true
      turn()
    },
    setNudge(ms) {
      nudgeMs = ms
      turn()
    },
  }
}
