import fc from 'fast-check'
import type { RoomCommand } from '../room/room-state.ts'
import { deviceOptions } from './fake-player.ts'
import { type NetworkConditions, calmNetwork } from './lossy-network.ts'
import { addCommand } from './rooms.ts'
import { type PersonOptions, type Simulation, createSimulation } from './simulation.ts'

/** Arbitraries of bad times for a room: networks, machines, and what people do meanwhile. */

/** Networks that lose, delay, double, overtake and stall, with paths that differ by 30 ms at most. */
const storms: fc.Arbitrary<NetworkConditions> = fc
  .record({
    delayMs: fc.integer({ min: 1, max: 150 }),
    differenceMs: fc.integer({ min: -15, max: 15 }),
    jitterMs: fc.integer({ min: 0, max: 100 }),
    dropRate: fc.constantFrom(0, 0.05, 0.3),
    duplicateRate: fc.constantFrom(0, 0.2),
    reorderRate: fc.constantFrom(0, 0.3),
    reorderMs: fc.integer({ min: 0, max: 400 }),
    stallRate: fc.constantFrom(0, 0.02),
    stallMs: fc.integer({ min: 100, max: 3_000 }),
  })
  .map(({ delayMs, differenceMs, ...rest }) => ({
    upDelayMs: Math.max(0, delayMs + differenceMs),
    downDelayMs: Math.max(0, delayMs - differenceMs),
    ...rest,
  }))

export type DeviceKind = keyof typeof deviceOptions
export const deviceKinds = Object.keys(deviceOptions) as DeviceKind[]

/** Somebody with any device, whose clock is off by up to an hour and more and drifts. */
const persons: fc.Arbitrary<PersonOptions> = fc
  .record({
    kind: fc.constantFrom(...deviceKinds),
    conditions: storms,
    clockOffsetMs: fc.integer({ min: -4_000_000, max: 4_000_000 }),
    clockDriftPpm: fc.integer({ min: -200, max: 200 }),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  })
  .map(({ kind, ...rest }) => ({ device: deviceOptions[kind], ...rest }))

export const people = fc.array(persons, { minLength: 1, maxLength: 4 })

/** What befalls one machine: its clock leaps, or it sleeps for a while. */
type Mishap = { type: 'leap' | 'sleep'; ms: number; whom: number }

const longestSleepMs = 20_000
/** More than any message is under way: to one that is, a smaller leap looks like a faster network. */
const leastLeapMs = 5_000

const mishaps: fc.Arbitrary<Mishap> = fc.oneof(
  fc.record({
    type: fc.constant('leap' as const),
    ms: fc.oneof(
      fc.integer({ min: leastLeapMs, max: 3_600_000 }),
      fc.integer({ min: -3_600_000, max: -leastLeapMs }),
    ),
    whom: fc.nat(3),
  }),
  fc.record({
    type: fc.constant('sleep' as const),
    ms: fc.integer({ min: 1, max: longestSleepMs }),
    whom: fc.nat(3),
  }),
)

interface Deed {
  deed: RoomCommand | Mishap
  afterMs: number
}

const ownerCommands: fc.Arbitrary<RoomCommand> = fc.oneof(
  fc.constantFrom<RoomCommand>({ type: 'play' }, { type: 'pause' }, { type: 'next' }, { type: 'previous' }),
  fc.integer({ min: 0, max: 600_000 }).map((positionMs): RoomCommand => ({ type: 'seek', positionMs })),
)

export const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    deed: fc.oneof({ arbitrary: ownerCommands, weight: 3 }, { arbitrary: mishaps, weight: 1 }),
    afterMs: fc.integer({ min: 0, max: 6_000 }),
  }),
  { minLength: 1, maxLength: 10 },
)

/** Lets a mishap befall somebody of a simulation. */
export function strike({ listeners }: Simulation, { type, ms, whom }: Mishap): void {
  const { ownClock } = listeners[whom % listeners.length]!.listener
  ownClock[type](ms)
}

/**
 * Everything that a storm is for: people come, the owner does things, clocks leap, messages go astray. Then everybody
 * is awake and connected again, and it is calm.
 */
export function weather(options: readonly PersonOptions[], history: readonly Deed[]): Simulation {
  const simulation = createSimulation(options)
  const { clock, room, listeners } = simulation
  clock.advance(1_000)
  for (const id of ['a', 'b', 'c', 'd']) room.command(addCommand(id, 3_600_000))
  for (const { deed, afterMs } of history) {
    clock.advance(afterMs)
    if ('whom' in deed) strike(simulation, deed)
    else if (room.state.track) room.command(deed)
  }
  for (const { listener } of listeners) clock.advance(listener.ownClock.leftToSleepMs)
  for (const { network, listener } of listeners) {
    network.setConditions(calmNetwork)
    listener.reconnect()
  }
  return simulation
}
