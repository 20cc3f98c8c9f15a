import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QueueEntry } from '../protocol/entities.ts'
import { histories, runHistory } from '../testing/generators.ts'
import { makeTrack } from '../testing/tracks.ts'
import { type NumberedQueue, type QueueDelta, applyQueueDelta, compareQueues } from './queue-delta.ts'

const toQueue = (ids: string[]): QueueEntry[] =>
  ids.map((id, position) => ({ ...makeTrack(id), entry_id: id, position, added_by: null }))
const longIds = Array.from({ length: 1_000 }, (_, index) => `e${index}`)

/** The differences of every change in a history, as the server numbers them, and the queues they lead to. */
function toDeltas(history: Parameters<typeof runHistory>[0]) {
  let version = 0
  return runHistory(history).flatMap(({ before, outcome: { state } }) => {
    if (state.queue === before.queue) return []
    const parts = compareQueues(before.queue, state.queue)
    return [{ delta: { baseVersion: version, version: ++version, parts }, queue: state.queue }]
  })
}

const deltaLists = histories.map(toDeltas)

/** Applies differences as a client does that asks for nothing: null from the first gap on. */
function follow(deltas: readonly QueueDelta[]): NumberedQueue | null {
  const start: NumberedQueue = { queue: [], version: 0 }
  return deltas.reduce<NumberedQueue | null>((known, delta) => known && applyQueueDelta(known, delta), start)
}

describe('17.40 differences of a queue', () => {
  it('17.40 lead to the whole queue after any commands', () => {
    fc.assert(
      fc.property(deltaLists, (list) => {
        let known: NumberedQueue | null = { queue: [], version: 0 }
        for (const { delta, queue } of list) {
          known = known && applyQueueDelta(known, JSON.parse(JSON.stringify(delta)))
          expect(known).toEqual({ queue, version: delta.version })
        }
      }),
    )
  })

  it('17.40 a duplicated or late difference changes nothing', () => {
    fc.assert(
      fc.property(deltaLists, fc.nat(), (list, pick) => {
        const deltas = list.map(({ delta }) => delta)
        const repeated = deltas.slice(0, deltas.length ? (pick % deltas.length) + 1 : 0)
        expect(follow([...deltas, ...repeated])).toEqual(follow(deltas))
      }),
    )
  })

  it('17.40 a lost or overtaken difference is noticed with the next one', () => {
    fc.assert(
      fc.property(deltaLists, fc.nat(), (list, pick) => {
        const deltas = list.map(({ delta }) => delta)
        fc.pre(deltas.length > 1)
        const lost = pick % (deltas.length - 1)
        expect(follow(deltas.toSpliced(lost, 1))).toBeNull()
        const [first, second] = [deltas[lost]!, deltas[lost + 1]!]
        expect(follow(deltas.toSpliced(lost, 2, second, first))).toBeNull()
      }),
    )
  })

  it('17.40 of another queue, whose ranges or entries do not fit, is refused', () => {
    const known = { queue: toQueue(['a', 'b']), version: 1 }
    const next = (parts: QueueDelta['parts']): QueueDelta => ({ baseVersion: 1, version: 2, parts })
    expect(applyQueueDelta(known, next([{ first: 1, count: 2 }]))).toBeNull()
    const twice = [{ first: 0, count: 2 }, { entry: toQueue(['a'])[0]! }]
    expect(applyQueueDelta(known, next(twice))).toBeNull()
  })

  it('17.41 adding, removing or moving one of 1000 entries takes under 2 kB', () => {
    const before = toQueue(longIds)
    const added = toQueue(['new'])[0]!
    const changes = [
      [...before, added],
      before.slice(1),
      before.toSpliced(500, 1),
      [...before.slice(999), ...before.slice(0, 999)],
      [],
    ]
    for (const after of changes) {
      expect(JSON.stringify(compareQueues(before, after)).length).toBeLessThan(2_000)
    }
    expect(compareQueues(before, before.slice(1))).toEqual([{ first: 1, count: 999 }])
  })
})
