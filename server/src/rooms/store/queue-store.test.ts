import type { QueueEntry } from '@earshot/core/protocol/entities'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type QueueChanges, compareQueues } from './queue-store.ts'

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

/** What the three statements do to the rows. */
function applyChanges(before: QueueEntry[], changes: QueueChanges): QueueEntry[] {
  const removed = new Set(changes.removedIds)
  const { shift } = changes
  const rows = before
    .filter((entry) => !removed.has(entry.entry_id))
    .map((entry) =>
      shift && entry.position >= shift.first && entry.position <= shift.last
        ? { ...entry, position: entry.position + shift.by }
        : entry,
    )
  const byId = new Map(rows.map((entry) => [entry.entry_id, entry]))
  for (const entry of changes.written) byId.set(entry.entry_id, entry)
  return [...byId.values()].toSorted((a, b) => a.position - b.position)
}

describe('compareQueues', () => {
  it('writes nothing for the same queue', () => {
    const queue = toQueue(['a', 'b'])
    expect(compareQueues(queue, queue)).toEqual({ removedIds: [], shift: null, written: [] })
  })

  it('removes the first of a long queue with one deletion and one shift', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `e${index}`)
    const changes = compareQueues(toQueue(ids), toQueue(ids.slice(1)))
    expect(changes).toEqual({ removedIds: ['e0'], shift: { first: 1, last: 999, by: -1 }, written: [] })
  })

  it('does not shift over an entry that stays', () => {
    const changes = compareQueues(toQueue(['a', 'b', 'c']), toQueue(['c', 'b', 'a']))
    expect(changes.shift).toBeNull()
    expect(changes.written.map((entry) => [entry.entry_id, entry.position])).toEqual([
      ['c', 0],
      ['a', 2],
    ])
  })

  it('transforms any queue into any other', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 8 })
    fc.assert(
      fc.property(ids, ids, (from, to) => {
        const after = toQueue(to)
        const result = applyChanges(toQueue(from), compareQueues(toQueue(from), after))
        expect(result).toEqual(after)
      }),
    )
  })
})
