import type { QueueEntry } from '@earshot/core/protocol/entities'
import { compareQueues } from '@earshot/core/room/queue-delta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planWrites } from './queue-store.ts'

const toEntry = (id: string, position: number): QueueEntry => ({
  id: `track-${id}`,
  title: id,
  artist: '',
  album: '',
  duration: 1_000,
  source: 'library',
  albumArt: null,
  album_art: null,
  entry_id: id,
  position,
  added_by: null,
})

const toQueue = (ids: string[]): QueueEntry[] => ids.map(toEntry)

const plan = (from: string[], to: string[]) => {
  const [before, after] = [toQueue(from), toQueue(to)]
  return planWrites({ before, after, parts: compareQueues(before, after) })
}

/** Does to the rows what the three statements do. */
function applyWrites(before: QueueEntry[], { removedIds, moved, written }: ReturnType<typeof planWrites>) {
  const removed = new Set(removedIds)
  const rows = before
    .filter((entry) => !removed.has(entry.entry_id))
    .map((entry) => {
      const range = moved.find(
        ({ first, count }) => entry.position >= first && entry.position < first + count,
      )
      return { ...entry, position: entry.position + (range?.by ?? 0) }
    })
  const byId = new Map(rows.map((entry) => [entry.entry_id, entry]))
  for (const entry of written) byId.set(entry.entry_id, entry)
  return [...byId.values()].toSorted((a, b) => a.position - b.position)
}

const longIds = Array.from({ length: 1_000 }, (_, index) => `e${index}`)

describe('planWrites', () => {
  it('writes nothing for the same queue', () => {
    expect(plan(['a', 'b'], ['a', 'b'])).toEqual({ removedIds: [], moved: [], written: [] })
  })

  it('removes the first of a long queue with one deletion and one moved range', () => {
    const moved = [{ first: 1, count: 999, by: -1 }]
    expect(plan(longIds, longIds.slice(1))).toEqual({ removedIds: ['e0'], moved, written: [] })
  })

  it('17.42 moves one of many entries by ranges alone', () => {
    const { moved, written } = plan(longIds, ['e999', ...longIds.slice(0, 999)])
    expect(moved).toEqual([
      { first: 999, count: 1, by: -999 },
      { first: 0, count: 999, by: 1 },
    ])
    expect(written).toEqual([])
  })

  it('writes a reversed queue entry by entry', () => {
    const { moved, written } = plan(longIds, longIds.toReversed())
    expect(moved).toEqual([])
    expect(written).toHaveLength(1_000)
  })

  it('transforms any queue into any other', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 8 })
    fc.assert(
      fc.property(ids, ids, (from, to) => {
        expect(applyWrites(toQueue(from), plan(from, to))).toEqual(toQueue(to))
      }),
    )
  })
})
