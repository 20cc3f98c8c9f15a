import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AudioBlock } from './decoding/audio-blocks.ts'
import { BufferQueue, isSlowToCatchUp } from './buffer-queue.ts'
import { LeavingQueues } from './leaving-queues.ts'
import { isJumpWorthwhile } from './output/output-shift.ts'

const openingS = 2

it.each([
  { caughtUpS: 6, why: 'catches up faster than the track opens', isSlow: false },
  { caughtUpS: 4, why: 'catches up slower than that', isSlow: true },
  { caughtUpS: 0, why: 'stays as late as it was', isSlow: true },
  { caughtUpS: -1, why: 'falls further behind', isSlow: true },
])('17.280 a run that $why is judged so after a second', ({ caughtUpS, isSlow }) => {
  const first = { atS: 100, lateS: 15 }
  const last = { atS: 101, lateS: 15 - caughtUpS }
  expect(isSlowToCatchUp(first, last, openingS)).toBe(isSlow)
  expect(isSlowToCatchUp(first, { ...last, atS: 100.9 }, openingS)).toBe(false)
})

it('17.432 a shift of the output is a jump from 2 ms on, in the first 2 s of a sound from 0.5 ms on', () => {
  expect([0.4, 0.5, 1.9].map((shiftMs) => isJumpWorthwhile(shiftMs, 1_900))).toEqual([false, true, true])
  expect([0.5, 1.9, 2, 300].map((shiftMs) => isJumpWorthwhile(shiftMs, 2_000))).toEqual([
    false,
    false,
    true,
    true,
  ])
  // The player loop decides about more.
  expect(isJumpWorthwhile(2_000, 10_000)).toBe(false)
})

describe('a run of blocks', () => {
  const rate = 48_000
  const blockFrames = rate / 5
  const nothing = () => undefined
  const param = { setValueAtTime: nothing, linearRampToValueAtTime: nothing, cancelScheduledValues: nothing }
  const context = {
    currentTime: 0,
    sampleRate: rate,
    baseLatency: 0,
    createGain: () => ({ gain: param, connect: nothing, disconnect: nothing }),
  }
  /** The instants at which blocks were scheduled, s. */
  let scheduled: number[] = []

  beforeEach(() => {
    scheduled = []
    context.currentTime = 0
    vi.stubGlobal(
      'AudioBuffer',
      class {
        copyToChannel = nothing
      },
    )
    vi.stubGlobal(
      'AudioBufferSourceNode',
      class {
        connect = nothing
        stop = nothing
        start = (atS: number) => scheduled.push(atS)
      },
    )
  })
  afterEach(() => vi.unstubAllGlobals())

  const queueAt = (startS: number) =>
    new BufferQueue(
      context as unknown as AudioContext,
      {} as AudioNode,
      { atFrame: startS * rate, positionFrame: 0 },
      nothing,
    )
  const block = (index: number): AudioBlock => ({
    startFrame: index * blockFrames,
    frames: blockFrames,
    samples: [new Float32Array(blockFrames + 1)],
  })
  async function* endless() {
    for (let index = 0; ; index += 1) yield block(index)
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve))

  it('17.464 has a second decoded ahead of its start, however far that is', async () => {
    for (const startS of [0.1, 2.9]) {
      scheduled = []
      const queue = queueAt(startS)
      void queue.feed(endless)
      await settle()
      expect(scheduled.length).toBeGreaterThanOrEqual(5)
      queue.stop(0)
      await queue.whenFed()
    }
  })

  it('17.464 that is to stop is fed until then, on a slow line, too, and no longer', async () => {
    const arrivals: (() => void)[] = []
    async function* slow() {
      for (let index = 0; ; index += 1) {
        await new Promise<void>((resolve) => arrivals.push(resolve))
        yield block(index)
      }
    }
    const arrive = async () => {
      arrivals.shift()?.()
      await settle()
    }
    const queue = queueAt(0.1)
    let isFed = false
    void queue.feed(slow).then(() => (isFed = true))
    await settle()
    await arrive()
    queue.stop(0.1 * rate + 2.5 * blockFrames)
    await arrive()
    expect([scheduled.length, isFed]).toEqual([2, false])
    await arrive()
    expect([scheduled.length, isFed]).toEqual([3, true])
  })

  it('17.446 a block that comes after the stop is not heard', async () => {
    let arrive: () => void = () => undefined
    async function* slow() {
      yield block(0)
      await new Promise<void>((resolve) => (arrive = resolve))
      yield block(1)
    }
    const queue = queueAt(0.1)
    void queue.feed(slow)
    await settle()
    queue.stop(0.1 * rate + 1.25 * blockFrames)
    context.currentTime = 0.1 + (1.5 * blockFrames) / rate
    arrive()
    await queue.whenFed()
    expect(scheduled).toHaveLength(1)
  })

  it('17.446 several that were left stop together, and none of them is kept', async () => {
    const leaving = new LeavingQueues()
    const queues = [queueAt(0.1), queueAt(0.3)]
    for (const queue of queues) {
      leaving.add(queue)
      void queue.feed(endless)
    }
    await settle()
    leaving.stop(0)
    await Promise.all(queues.map((queue) => queue.whenFed()))
    const count = scheduled.length
    await settle()
    expect(scheduled).toHaveLength(count)
    expect(leaving.endFrame).toBeNull()
  })

  it('17.464 stops at once where it is told to', async () => {
    const queue = queueAt(0.1)
    void queue.feed(endless)
    await settle()
    queue.stop(2 * rate)
    queue.stop(0)
    await queue.whenFed()
    expect(scheduled.length).toBeLessThan(10)
  })
})
