import { serverTimeAt } from '../sync/clock/clock-offset.ts'
import { positionAt } from '../sync/timeline.ts'
import type { ClientClockOptions } from './client-clock.ts'
import { type FakeClock, createFakeClock } from './fake-clock.ts'
import { type FakePlayer, type FakePlayerOptions, createFakePlayer } from './fake-player.ts'
import { type LossyNetwork, type NetworkConditions, createLossyNetwork } from './lossy-network.ts'
import { addCommand } from './rooms.ts'
import {
  type SimulatedListener,
  type SimulatedReload,
  createSimulatedListener,
} from './simulated-listener.ts'
import { type SimulatedRoom, createSimulatedRoom } from './simulated-room.ts'

/** A room and its listeners on one fake clock; each has its own network, clock and device. */
export interface Simulation {
  clock: FakeClock
  room: SimulatedRoom
  listeners: readonly SimulatedPerson[]
}

export interface SimulatedPerson {
  network: LossyNetwork
  player: FakePlayer
  listener: SimulatedListener
  /** The true distance of the sound from the room's timeline, in ms, positive = ahead; null while silent. */
  soundErrorMs: () => number | null
  /** The error of the listener's estimate of the server's time, in ms. */
  clockErrorMs: () => number
}

export interface PersonOptions extends ClientClockOptions {
  device: FakePlayerOptions
  conditions: NetworkConditions
  seed: number
  reload?: SimulatedReload
}

/** @param roundTripsMs the round trips reported by the members */
export function createSimulation(people: readonly PersonOptions[], roundTripsMs?: number[]): Simulation {
  const clock = createFakeClock()
  const room = createSimulatedRoom(clock, roundTripsMs)
  const listeners = people.map((person) => createPerson(clock, room, person))
  return { clock, room, listeners }
}

/** Adds a listener to a running simulation. */
export function joinRoom({ clock, room }: Simulation, options: PersonOptions): SimulatedPerson {
  return createPerson(clock, room, options)
}

function createPerson(clock: FakeClock, room: SimulatedRoom, options: PersonOptions): SimulatedPerson {
  const network = createLossyNetwork(clock, options.seed, options.conditions)
  const player = createFakePlayer({ ...options.device, seed: options.seed })
  const listener = createSimulatedListener({ trueClock: clock, network, room, player, ...options })
  const { ownClock } = listener
  return {
    network,
    player,
    listener,
    soundErrorMs: () => {
      const positionMs = player.soundingAt(ownClock.deviceNow())
      return positionMs === null ? null : positionMs - positionAt(room.state.timeline, clock.now())
    },
    clockErrorMs: () => serverTimeAt(listener.clock, ownClock.now()) - clock.now(),
  }
}

/** Adds a long track and plays it, after one second to connect and one to load. */
export function startPlaying({ clock, room }: Simulation, durationMs = 3_600_000): void {
  clock.advance(1_000)
  room.command(addCommand('a', durationMs))
  clock.advance(1_000)
  room.command({ type: 'play' })
}

/** Returns the maximum number of seeks of a listener within a minute, from a true time on. */
export function mostSeeksPerMinute({ actions }: SimulatedListener, fromMs: number): number {
  const seeks = actions
    .filter(({ type, atMs }) => atMs >= fromMs && type === 'alignAt')
    .map(({ atMs }) => atMs)
  const counts = seeks.map((atMs) => seeks.filter((other) => other >= atMs && other < atMs + 60_000).length)
  return Math.max(0, ...counts)
}
