import type { Clock } from '@earshot/core/clock'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createServerClock } from './clock.ts'
import { followReference, machineReference } from './clock-follower.ts'

const readEveryMs = 10_000

/** A server on a machine whose clock can be set. Readings come every 10 s of the machine's elapsed time. */
function startMachine() {
  const elapsed = createFakeClock(0)
  const machine = { setByMs: 0 }
  const machineMs = (): number => 1_000_000 + elapsed.now() + machine.setByMs
  const after: Clock['after'] = (ms, run) => elapsed.after(ms, run)
  const clock = { ...createServerClock({ machineMs, elapsedMs: () => elapsed.now() }), after }
  const steps: number[] = []
  const stop = followReference({
    clock,
    logger: pino({ level: 'silent' }),
    readReference: machineReference(clock, machineMs),
    step: async (ms) => {
      steps.push(ms)
      clock.step(ms)
    },
  })
  onTestFinished(stop)
  const behindMs = (): number => machineMs() - clock.now()
  return { machine, steps, behindMs, pass: (ms: number) => elapsed.advanceAsync(ms) }
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
