import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { by, contextAt, emptyRoom, guest, runCommands, stranger } from '../testing/rooms.ts'
import { makeTrack } from '../testing/tracks.ts'
import { wasImported } from './import-tracks.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

const hourMs = 3_600_000
const asGuest = (afterMs = 0) => contextAt(afterMs, { actor: guest })
const importOf = (ids: (string | null)[], importId = 'import'): RoomCommand => ({
  type: 'add_tracks',
  importId,
  tracks: ids.map((id) => (id === null ? null : makeTrack(id))),
  addedBy: by('guest'),
})
const queuedIn = (state: RoomState): string[] => state.queue.map(({ id }) => id)
const fill = (count: number): RoomState => ({
  ...emptyRoom,
  track: makeTrack('current'),
  queue: Array.from({ length: count }, (_, position) => ({
    ...makeTrack(`t${position}`),
    entry_id: `e${position}`,
    position,
    added_by: null,
  })),
})

const indexes = [0, 1, 2, 3, 4, 5]

describe('an import of tracks', () => {
  it('15.14, 4.17a makes the first one current, paused, in an empty room, and queues the others', () => {
    const { state, changes } = reduceRoom(emptyRoom, importOf(['a', 'b', 'c']), asGuest())
    expect(state.track?.id).toBe('a')
    expect(state.timeline).toMatchObject({ trackId: 'a', isPlaying: false, positionMs: 0 })
    expect(state.queue.map(({ id, position, added_by }) => [id, position, added_by])).toEqual([
      ['b', 0, 'guest'],
      ['c', 1, 'guest'],
    ])
    expect(changes.toSorted()).toEqual(['playback', 'queue', 'track'])
  })

  it('15.14, 4.17b appends them in one change, without those that cannot be added', () => {
    const room = fill(1)
    const { state, changes } = reduceRoom(room, importOf(['a', null, 'b']), asGuest())
    expect(queuedIn(state)).toEqual(['t0', 'a', 'b'])
    expect(changes).toEqual(['queue'])
    expect(state.timeline).toBe(room.timeline)
  })

  it('15.14 repeated, it changes nothing, also after its tracks were played or removed', () => {
    const once = reduceRoom(emptyRoom, importOf(['a', 'b']), asGuest()).state
    expect(reduceRoom(once, importOf(['a', 'b']), asGuest(1_000))).toEqual({ state: once, changes: [] })
    const later = runCommands(once, [{ type: 'next' }, { type: 'next' }], 2_000)
    expect(later).toMatchObject({ track: null, queue: [] })
    expect(reduceRoom(later, importOf(['a', 'b']), asGuest(hourMs - 1)).changes).toEqual([])
  })

  it('15.14 is remembered for an hour, and its queued tracks for as long as they are queued', () => {
    const room = runCommands(fill(0), [importOf(['a', 'b'])])
    const [first] = room.queue
    const removed = reduceRoom(
      room,
      { type: 'remove_entry', entryId: first?.entry_id ?? '' },
      asGuest(),
    ).state
    const { state } = reduceRoom(removed, importOf(['a', 'b']), asGuest(hourMs))
    expect(queuedIn(state)).toEqual(['b', 'a'])
  })

  it('15.14, 9.29 adds as many as fit, and a repetition adds the rest', () => {
    const full = fill(998)
    const ids = ['a', 'b', 'c']
    const once = reduceRoom(full, importOf(ids), asGuest()).state
    expect(queuedIn(once).slice(998)).toEqual(['a', 'b'])
    expect(reduceRoom(once, importOf(ids), asGuest(1)).changes).toEqual([])
    const freed = reduceRoom(once, { type: 'remove_entry', entryId: 'e0' }, asGuest(2)).state
    const twice = reduceRoom(freed, importOf(ids), asGuest(3)).state
    expect(queuedIn(twice).slice(997)).toEqual(['a', 'b', 'c'])
  })

  it('15.14 a track that was not known is added by a repetition', () => {
    const once = reduceRoom(fill(0), importOf(['a', null]), asGuest()).state
    expect(queuedIn(reduceRoom(once, importOf(['a', 'b']), asGuest(1)).state)).toEqual(['a', 'b'])
  })

  it('6.5 needs a member', () => {
    const refusal = expect.objectContaining({ code: 'not_a_member' })
    expect(() => reduceRoom(emptyRoom, importOf(['a']), contextAt(0, { actor: stranger }))).toThrow(refusal)
  })

  it('bounds what a room remembers', () => {
    const commands = Array.from({ length: 40 }, (_, index) => importOf(['a'], `import-${index}`))
    expect(runCommands(fill(0), commands).imports).toHaveLength(32)
  })

  it('15.14 adds each track once, however often and in whatever parts it arrives', () => {
    const known = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 })
    const attempts = fc.array(known, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(attempts, fc.integer({ min: 0, max: 3 }), (tries, played) => {
        let state = fill(0)
        tries.forEach((knownNow, attempt) => {
          const ids = knownNow.map((isKnown, index) => (isKnown ? `track-${index}` : null))
          state = reduceRoom(state, importOf(ids), asGuest(attempt * 1_000)).state
        })
        const expected = indexes.filter((index) => tries.some((knownNow) => knownNow[index]))
        expect(queuedIn(state).toSorted()).toEqual(expected.map((index) => `track-${index}`))
        const nowMs = contextAt(60_000).nowMs
        const isAdded = (index: number) => wasImported(state, { importId: 'import', index, nowMs })
        expect(indexes.filter(isAdded)).toEqual(expected)
        // Played tracks do not come back.
        const skips = state.queue.slice(0, played).map(() => ({ type: 'next' as const }))
        const later = runCommands(state, skips, 10_000)
        const all = importOf(indexes.map((index) => (expected.includes(index) ? `track-${index}` : null)))
        expect(reduceRoom(later, all, asGuest(60_000)).changes).toEqual([])
      }),
    )
  })
})
