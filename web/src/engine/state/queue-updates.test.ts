import { compareQueues } from '@earshot/core/room/queue-delta'
import { describe, expect, it } from 'vitest'
import { emptyRoom, makeQueue, makeSnapshot, makeState } from '../testing/room-fixtures.ts'
import { applyDelta, applyQueue, isQueueGap } from './queue-updates.ts'
import { applyPlayback, applySnapshot, forgetOrder } from './server-updates.ts'

/** The queues of versions 1 to 4, and the differences that lead to each from the one before. */
const queues = [makeQueue('b', 'c'), makeQueue('b', 'c', 'd'), makeQueue('d', 'b', 'c'), makeQueue('b', 'c')]
const joined = applySnapshot(emptyRoom(), makeSnapshot({ queue: queues[0], queueVersion: 1 }))
const deltaTo = (version: number, sequence_number = 100) => ({
  roomId: 'room',
  baseVersion: version - 1,
  version,
  parts: compareQueues(queues[version - 2]!, queues[version - 1]!),
  sequence_number,
})

it('17.40 applies differences in order', () => {
  let state = joined
  for (const version of [2, 3, 4]) {
    state = applyDelta(state, deltaTo(version))
    expect(state.confirmed).toMatchObject({ queueVersion: version, queue: queues[version - 1] })
  }
  expect(state.awaitedDeltas).toEqual([])
})

it('17.40 a lost difference is a gap until the whole queue is there, with what came after it', () => {
  const gap = applyDelta(joined, deltaTo(3))
  expect(isQueueGap(gap)).toBe(true)
  expect(gap.confirmed).toBe(joined.confirmed)
  const later = applyDelta(gap, deltaTo(4))
  const healed = applySnapshot(later, makeSnapshot({ queue: queues[2], queueVersion: 3 }))
  expect(isQueueGap(healed)).toBe(false)
  expect(healed.confirmed).toMatchObject({ queueVersion: 4, queue: queues[3] })
})

it('17.40 a duplicated difference changes nothing', () => {
  const once = applyDelta(joined, deltaTo(2))
  const twice = applyDelta(once, deltaTo(2))
  expect(twice.confirmed).toBe(once.confirmed)
  expect(isQueueGap(twice)).toBe(false)
})

it('12.1 a difference waits for the timeline of its change', () => {
  const ahead = applyDelta(applyDelta(joined, deltaTo(2, 101)), deltaTo(3, 101))
  expect(ahead.confirmed.queueVersion).toBe(1)
  expect(isQueueGap(ahead)).toBe(false)
  const moved = applyPlayback(ahead, makeState({ sequenceNumber: 101 }))
  expect(moved.confirmed).toMatchObject({ queueVersion: 3, queue: queues[2] })
})

it('17.40 a snapshot without the known queue keeps it', () => {
  const state = applySnapshot(joined, makeSnapshot({ queue: [], queueVersion: 1, isQueueKnown: true }))
  expect(state.confirmed.queue).toEqual(queues[0])
})

describe('the first entries of a long queue', () => {
  const start = { queue: queues[0], queueVersion: 2, queueTotal: 3 }

  it('17.494 are known until the whole queue is, and then no longer count as all', () => {
    const partial = applySnapshot(emptyRoom(), makeSnapshot(start))
    expect(partial.confirmed).toMatchObject({ queue: queues[0], queueVersion: 2, queueTotal: 3 })
    const whole = applyQueue(partial, queues[1]!, 2)
    expect(whole.confirmed).toMatchObject({ queue: queues[1], queueTotal: null })
  })

  it('17.494 are not changed by a difference, which waits for the whole queue and is no gap', () => {
    const partial = applySnapshot(emptyRoom(), makeSnapshot(start))
    const changed = applyDelta(partial, deltaTo(3))
    expect(changed.confirmed).toBe(partial.confirmed)
    expect(isQueueGap(changed)).toBe(false)
    expect(applyQueue(changed, queues[1]!, 2).confirmed).toMatchObject({ queueVersion: 3, queue: queues[2] })
    // Read after the change.
    expect(applyQueue(changed, queues[2]!, 3).confirmed).toMatchObject({ queueVersion: 3, queue: queues[2] })
  })

  it('17.494 are followed by what was known before a reconnect, up to the number of all', () => {
    const known = applyQueue(joined, makeQueue('x', 'b', 'c', 'd', 'e'), 1)
    const rejoined = applySnapshot(forgetOrder(known), makeSnapshot({ ...start, queueTotal: 4 }))
    const { queue } = rejoined.confirmed
    expect(queue.map(({ id }) => id)).toEqual(['b', 'c', 'x', 'd'])
    expect(queue.map(({ position }) => position)).toEqual([0, 1, 2, 3])
  })
})
