import fc from 'fast-check'
import type { RoomCommand } from '../room/room-state.ts'
import { deviceOptions } from './fake-player.ts'
import { type NetworkConditions, calmNetwork } from './lossy-network.ts'
import { addCommand } from './rooms.ts'
import { type PersonOptions, type Simulation, createSimulation } from './simulation.ts'

/** Arbitraries of adverse conditions: bad networks, disrupted machines, and concurrent commands. */

/** Networks that drop, delay, duplicate, reorder and stall, with an asymmetry of at most 30 ms. */
const badNetworks: fc.Arbitrary<NetworkConditions> = fc
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
    downQueueMs: fc.constant(0),
  })
  .map(({ delayMs, differenceMs, ...rest }) => ({
    upDelayMs: Math.max(0, delayMs + differenceMs),
    downDelayMs: Math.max(0, delayMs - differenceMs),
    ...rest,
  }))

export type DeviceKind = keyof typeof deviceOptions
export const deviceKinds = Object.keys(deviceOptions) as DeviceKind[]

/** A listener with any device, and a drifting clock that is off by up to 67 minutes. */
const listenerOptions: fc.Arbitrary<PersonOptions> = fc
  .record({
    kind: fc.constantFrom(...deviceKinds),
    conditions: badNetworks,
    clockOffsetMs: fc.integer({ min: -4_000_000, max: 4_000_000 }),
    clockDriftPpm: fc.integer({ min: -200, max: 200 }),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  })
  .map(({ kind, ...rest }) => ({ device: deviceOptions[kind], ...rest }))

export const people = fc.array(listenerOptions, { minLength: 1, maxLength: 4 })

/** A disruption of one machine: its clock jumps, or it sleeps. */
type Disruption = { type: 'jump' | 'sleep'; ms: number; listenerIndex: number }

const maxSleepMs = 20_000
/** Longer than any message delay: a smaller jump looks like a faster network. */
const minJumpMs = 5_000

const disruptions: fc.Arbitrary<Disruption> = fc.oneof(
  fc.record({
    type: fc.constant('jump' as const),
    ms: fc.oneof(
      fc.integer({ min: minJumpMs, max: 3_600_000 }),
      fc.integer({ min: -3_600_000, max: -minJumpMs }),
    ),
    listenerIndex: fc.nat(3),
  }),
  fc.record({
    type: fc.constant('sleep' as const),
    ms: fc.integer({ min: 1, max: maxSleepMs }),
    listenerIndex: fc.nat(3),
  }),
)

interface HistoryStep {
  step: RoomCommand | Disruption
  afterMs: number
}

const ownerCommands: fc.Arbitrary<RoomCommand> = fc.oneof(
  fc.constantFrom<RoomCommand>({ type: 'play' }, { type: 'pause' }, { type: 'next' }, { type: 'previous' }),
  fc.integer({ min: 0, max: 600_000 }).map((positionMs): RoomCommand => ({ type: 'seek', positionMs })),
)

export const histories: fc.Arbitrary<HistoryStep[]> = fc.array(
  fc.record({
    step: fc.oneof({ arbitrary: ownerCommands, weight: 3 }, { arbitrary: disruptions, weight: 1 }),
    afterMs: fc.integer({ min: 0, max: 6_000 }),
  }),
  { minLength: 1, maxLength: 10 },
)

/** Applies a disruption to a listener of a simulation. */
export function disrupt({ listeners }: Simulation, { type, ms, listenerIndex }: Disruption): void {
  const { ownClock } = listeners[listenerIndex % listeners.length]!.listener
  ownClock[type](ms)
}

/**
 * Runs a history of commands and disruptions over bad networks, then wakes and reconnects every listener on calm
 * networks.
 */
export function runHistory(options: readonly PersonOptions[], history: readonly HistoryStep[]): Simulation {
  const simulation = createSimulation(options)
  const { clock, room, listeners } = simulation
  clock.advance(1_000)
  for (const id of ['a', 'b', 'c', 'd']) room.command(addCommand(id, 3_600_000))
  for (const { step, afterMs } of history) {
    clock.advance(afterMs)
    if ('listenerIndex' in step) disrupt(simulation, step)
    else if (room.state.track) room.command(step)
  }
  for (const { listener } of listeners) clock.advance(listener.ownClock.remainingSleepMs)
  for (const { network, listener } of listeners) {
    network.setConditions(calmNetwork)
    listener.reconnect()
  }
  return simulation
}
