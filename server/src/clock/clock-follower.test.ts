import type { Clock } from '@earshot/core/clock'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createServerClock } from './server-clock.ts'
import { type SharedReadings, followReference, machineReference } from './clock-follower.ts'

const readEveryMs = 10_000

/** A server on a machine whose clock can be set. Readings come every 10 s of the machine's elapsed time. */
function startMachine(readings: SharedReadings | null = null) {
  const elapsed = createFakeClock(0)
  const machine = { setByMs: 0, pausedMs: 0 }
  const machineMs = (): number => 1_000_000 + elapsed.now() + machine.setByMs
  const elapsedMs = (): number => elapsed.now() - machine.pausedMs
  const after: Clock['after'] = (ms, run) => elapsed.after(ms, run)
  const clock = { ...createServerClock({ machineMs, elapsedMs }), after }
  const steps: number[] = []
  const moves: number[] = []
  const stop = followReference({
    clock,
    logger: pino({ level: 'silent' }),
    readReference: machineReference(clock, machineMs),
    readings,
    step: async (ms, isAlone) => {
      steps.push(ms)
      if (!isAlone) moves.push(ms)
      clock.step(ms)
    },
  })
  onTestFinished(stop)
  const behindMs = (): number => machineMs() - clock.now()
  return { machine, steps, moves, behindMs, pass: (ms: number) => elapsed.advanceAsync(ms) }
}

it('16.49 follows a machine whose clock is adjusted by less than a second, slowly and without a step', async () => {
  const { machine, steps, behindMs, pass } = startMachine()
  await pass(30_000)
  expect(behindMs()).toBe(0)
  machine.setByMs = -400
  await pass(readEveryMs)
  await pass(1_000_000)
  expect(behindMs()).toBeCloseTo(-300, -1)
  await pass(3_200_000)
  expect(Math.abs(behindMs())).toBeLessThanOrEqual(2)
  expect(steps).toEqual([])
})

it.each([3_600_000, -3_600_000, 5_000])(
  '16.49 steps with a machine whose clock was set by %i ms, once two readings agree',
  async (setByMs) => {
    const { machine, steps, behindMs, pass } = startMachine()
    await pass(readEveryMs)
    machine.setByMs = setByMs
    await pass(readEveryMs)
    expect(steps).toEqual([])
    await pass(readEveryMs)
    expect(steps).toEqual([setByMs])
    expect(behindMs()).toBe(0)
    await pass(10 * readEveryMs)
    expect(steps).toHaveLength(1)
  },
)

it('16.49 ignores a single wrong reading', async () => {
  const { machine, steps, pass } = startMachine()
  machine.setByMs = 60_000
  await pass(readEveryMs)
  machine.setByMs = 0
  await pass(10 * readEveryMs)
  expect(steps).toEqual([])
})

/** Counts as processes that share a reference do. */
function shareReadings(): SharedReadings {
  let count = 0
  return { add: async () => (count += 1), count: async () => count }
}

/** Two processes with one reference, half a reading apart. */
async function startTwoMachines() {
  const readings = shareReadings()
  const first = startMachine(readings)
  await first.pass(readEveryMs / 2)
  const second = startMachine(readings)
  return {
    first,
    second,
    readings,
    pass: async (ms: number): Promise<void> => {
      for (let passedMs = 0; passedMs < ms; passedMs += readEveryMs / 2) {
        await first.pass(readEveryMs / 2)
        await second.pass(readEveryMs / 2)
      }
    },
  }
}

it('16.208 a process whose machine was paused steps alone where another agrees with the reference', async () => {
  const { first, second, pass } = await startTwoMachines()
  await pass(60_000)
  first.machine.pausedMs = 45_000
  await pass(30_000)
  expect(first.steps).toEqual([45_000])
  expect(first.moves).toEqual([])
  expect(second.steps).toEqual([])
})

it('16.208 where the reference was set, rooms move with it, also if a process has just started', async () => {
  const { first, second, readings, pass } = await startTwoMachines()
  await pass(60_000)
  for (const { machine } of [first, second]) machine.setByMs = 45_000
  await pass(readEveryMs)
  await startMachine(readings).pass(readEveryMs)
  await pass(20_000)
  for (const { steps, moves } of [first, second]) expect([steps, moves]).toEqual([[45_000], [45_000]])
})
