import type { Clock } from '../clock.ts'
import { type ClockState, addProbe, changePath, initialClock } from '../sync/clock/clock-offset.ts'
import { type ProbeEvent, startProbes, stepProbes } from '../sync/clock/probe-schedule.ts'
import { follow } from '../sync/follow/follow.ts'
import { type FollowAction, type FollowOutcome, initialFollowHistory } from '../sync/follow/follow-state.ts'
import type { PositionSample } from '../sync/follow/player-state.ts'
import { type Timeline, emptyTimeline, supersedes } from '../sync/timeline.ts'
import { type ClientClock, type ClientClockOptions, createClientClock } from './client-clock.ts'
import type { FakePlayer } from './fake-player.ts'
import { createRandom } from './random.ts'
import type { LossyNetwork } from './lossy-network.ts'
import type { SimulatedRoom } from './simulated-room.ts'

/** A listener's client without a browser: probes, clock, timeline, `follow` and a player. */
export interface SimulatedListener {
  readonly timeline: Timeline
  readonly clock: ClockState
  readonly outcome: FollowOutcome | null
  /** The actions carried out by the player, with their true times. */
  readonly actions: readonly { type: string; atMs: number }[]
  /** The clock of the listener's machine. */
  readonly ownClock: ClientClock
  /** Reconnects: requests the snapshot and measures the clock again. */
  reconnect(): void
  /** Presses the Sync button. */
  align(): void
  setNudge(ms: number): void
  /** Hides the tab. */
  hide(): void
  readonly probesSent: number
}

export interface SimulatedListenerOptions extends ClientClockOptions {
  trueClock: Clock
  network: LossyNetwork
  room: SimulatedRoom
  player: FakePlayer
  reload?: SimulatedReload
  seed: number
}

/** A page that shows its copy of the timeline before it is connected. */
export interface SimulatedReload {
  timeline: Timeline
  connectedAfterMs: number
}

/** The interval of the calls of `follow`. */
const turnMs = 250

export function createSimulatedListener(options: SimulatedListenerOptions): SimulatedListener {
  const { trueClock, network, room, player } = options
  const ownClock = createClientClock(trueClock, options)
  const now = (): number => ownClock.now()

  let clock = initialClock
  const random = createRandom(options.seed)
  let probes = startProbes(now(), false)
  let probesSent = 0
  let timeline = options.reload?.timeline ?? emptyTimeline
  let history = initialFollowHistory
  let outcome: FollowOutcome | null = null
  let isAlignRequested = false
  let nudgeMs = 0
  let cancelTurn = (): void => {}
  let cancelProbe = (): void => {}
  const actions: { type: string; atMs: number }[] = []

  const probe = (event: ProbeEvent): void => {
    const step = stepProbes(probes, event, now(), { clock, random: random() })
    probes = step.schedule
    if (step.isProbeDue) sendProbe()
    cancelProbe()
    cancelProbe = ownClock.after(probes.nextAtMs - now(), () => probe('due'))
  }
  const sendProbe = (): void => {
    probesSent++
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
  /** Messages that arrive while the machine sleeps are handled when it wakes. */
  const receive = (handle: () => void): void => network.send('down', () => void ownClock.after(0, handle))

  const samplePlayer = (): PositionSample | null => {
    const sample = player.sample(ownClock.deviceNow())
    return sample && { ...sample, atClientMs: sample.atClientMs + ownClock.jumpedMs }
  }
  const applyAction = (action: FollowAction): void => {
    const isTimed = action.type === 'play' || action.type === 'alignAt'
    const timed = isTimed ? { ...action, atClientMs: action.atClientMs - ownClock.jumpedMs } : action
    player.apply(timed, ownClock.deviceNow())
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
    if (outcome.action.type !== 'hold') actions.push({ type: outcome.action.type, atMs: trueClock.now() })
    applyAction(outcome.action)
    const isSounding = samplePlayer()?.status === 'playing'
    if (isSounding !== probes.isSounding) probe(isSounding ? 'sounding' : 'silent')
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
    clock = changePath(clock, now())
    room.join(network, onTimeline)
    probe('connected')
  }
  if (options.reload) ownClock.after(options.reload.connectedAfterMs, connect)
  else connect()
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
    actions,
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
    hide: () => probe('hidden'),
    get probesSent() {
      return probesSent
    },
  }
}
