import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { AppError } from '../protocol/errors.ts'
import { by, addCommand, contextAt, emptyRoom, guest, owner, runCommands, startMs } from '../testing/rooms.ts'
import { makeTrack } from '../testing/tracks.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

const room = runCommands(
  emptyRoom,
  ['current', 'a', 'b', 'c', 'd'].map((id) => addCommand(id)),
)
const asGuest = contextAt(10_000, { actor: guest })
const idsOf = ({ queue }: RoomState): string[] => queue.map((entry) => entry.id)
const run = (command: RoomCommand, state = room, context = asGuest) => reduceRoom(state, command, context)
const refusal = (code: string) => expect.objectContaining({ code })

describe('17.42 moving', () => {
  it('17.42 moves an entry to any index, and beyond the end to the end', () => {
    const move = (id: string, index: number) =>
      idsOf(run({ type: 'move_entry', entryId: `entry-${id}`, index }).state)
    expect(move('d', 0)).toEqual(['d', 'a', 'b', 'c'])
    expect(move('a', 2)).toEqual(['b', 'c', 'a', 'd'])
    expect(move('a', 900)).toEqual(['b', 'c', 'd', 'a'])
  })

  it('17.42 moving an entry where it is changes nothing; one that is gone is refused', () => {
    expect(run({ type: 'move_entry', entryId: 'entry-b', index: 1 })).toEqual({ state: room, changes: [] })
    expect(() => run({ type: 'move_entry', entryId: 'gone', index: 0 })).toThrow(
      refusal('queue_entry_not_found'),
    )
  })
})

describe('17.43 restoring', () => {
  const [, b] = room.queue
  const without = run({ type: 'remove_entry', entryId: 'entry-b' }).state
  const restore = (removedAtMs: number): RoomCommand => ({
    type: 'restore_entries',
    entries: [b!],
    removedAtMs,
  })

  it('17.43 puts the entry back at its place, with its id and its user', () => {
    const { state, changes } = run(restore(startMs + 9_000), without)
    expect(state.queue).toEqual(room.queue)
    expect(changes).toEqual(['queue'])
    expect(run(restore(startMs + 9_000), state).changes).toEqual([])
  })

  it('17.43 at the end of a shorter queue', () => {
    const short = { ...without, queue: without.queue.slice(0, 0) }
    expect(idsOf(run(restore(startMs + 9_000), short).state)).toEqual(['b'])
  })

  it('17.43 becomes current in a room that has no track any more', () => {
    const empty = { ...without, track: null, queue: [] }
    const { state, changes } = run(restore(startMs + 9_000), empty)
    expect(state.track?.id).toBe('b')
    expect(state.queue).toEqual([])
    expect(changes).toContain('track')
  })

  it('17.43 is refused after a minute, and in a full queue', () => {
    const late = contextAt(10_001 + limits.restoreWindowMs, { actor: guest })
    expect(() => run(restore(startMs + 10_000), without, late)).toThrow(AppError)
    const queue = Array.from({ length: 1_000 }, (_, position) => ({
      ...makeTrack(`t${position}`),
      entry_id: `e${position}`,
      position,
      added_by: null,
    }))
    expect(() => run(restore(startMs + 9_000), { ...without, queue })).toThrow(refusal('queue_full'))
  })
})

describe('17.44 clearing', () => {
  const mixed = runCommands(room, [{ ...addCommand('mine'), addedBy: by('owner') } as RoomCommand])

  it('17.44 removes all for the owner and the own entries for a member', () => {
    const asOwner = contextAt(10_000, { actor: owner })
    expect(idsOf(run({ type: 'clear_queue' }, mixed, asOwner).state)).toEqual([])
    const { state } = run({ type: 'clear_queue' }, mixed)
    expect(idsOf(state)).toEqual(['mine'])
    expect(state.queue[0]?.position).toBe(0)
    expect(run({ type: 'clear_queue' }, state).changes).toEqual([])
  })
})

describe('17.476 removing what a user added', () => {
  it('17.476 keeps the tracks of all others, and is for the owner alone', () => {
    const mixed = runCommands(room, [{ ...addCommand('mine'), addedBy: by('owner') } as RoomCommand])
    const removal: RoomCommand = { type: 'remove_entries_of', userId: 'guest' }
    const asOwner = contextAt(10_000, { actor: owner })
    const { state, changes } = run(removal, mixed, asOwner)
    expect([idsOf(state), changes]).toEqual([['mine'], ['queue']])
    expect(run(removal, state, asOwner).changes).toEqual([])
    expect(() => run(removal, mixed)).toThrow(refusal('not_owner'))
  })
})

describe('17.475 undoing a clearing', () => {
  const mixed = runCommands(room, [{ ...addCommand('mine'), addedBy: by('owner') } as RoomCommand])
  const restore = (entries: RoomState['queue'], removedAtMs = startMs + 9_000): RoomCommand => ({
    type: 'restore_entries',
    entries,
    removedAtMs,
    removalId: 'clearing',
  })

  it('17.475 brings all entries back in the old order, before what was added meanwhile', () => {
    const cleared = run({ type: 'clear_queue' }, mixed, contextAt(10_000, { actor: owner })).state
    const meanwhile = runCommands(cleared, [addCommand('x'), addCommand('y')])
    const { state, changes } = run(restore(mixed.queue), meanwhile)
    expect(idsOf(state)).toEqual(['a', 'b', 'c', 'd', 'mine', 'x', 'y'])
    expect(state.queue.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(changes).toEqual(['queue'])
    expect(run(restore(mixed.queue), state).changes).toEqual([])
  })

  it('17.475 puts the tracks of one member back between those of the others', () => {
    const moved = run({ type: 'move_entry', entryId: 'entry-mine', index: 2 }, mixed).state
    expect(idsOf(moved)).toEqual(['a', 'b', 'mine', 'c', 'd'])
    const cleared = run({ type: 'clear_queue' }, moved).state
    expect(idsOf(cleared)).toEqual(['mine'])
    const own = moved.queue.filter((entry) => entry.added_by === 'guest')
    expect(run(restore(own), cleared).state.queue).toEqual(moved.queue)
  })

  it('17.475 brings back as many as the queue holds, the first ones', () => {
    const queue = Array.from({ length: limits.queueMaxLength - 2 }, (_, position) => ({
      ...makeTrack(`t${position}`),
      entry_id: `e${position}`,
      position,
      added_by: null,
    }))
    const { state } = run(restore(mixed.queue), { ...mixed, queue })
    expect(state.queue).toHaveLength(limits.queueMaxLength)
    expect(idsOf(state).slice(0, 3)).toEqual(['a', 'b', 't0'])
    const others = queue.slice(0, 2).map((entry) => ({ ...entry, entry_id: `more-${entry.entry_id}` }))
    expect(() => run(restore(others), state)).toThrow(refusal('queue_full'))
  })

  it('17.475 the first becomes current in a room without a track, and after a minute nothing comes back', () => {
    const empty = { ...mixed, track: null, queue: [] }
    const { state } = run(restore(mixed.queue), empty)
    expect(state.track?.id).toBe('a')
    expect(idsOf(state)).toEqual(['b', 'c', 'd', 'mine'])
    const late = contextAt(9_001 + limits.restoreWindowMs, { actor: guest })
    expect(() => run(restore(mixed.queue), empty, late)).toThrow(refusal('queue_entry_not_found'))
  })
})

describe('17.45 commands with an id', () => {
  it('17.45 are applied once, also when the entry was removed in between', () => {
    const add: RoomCommand = { ...(addCommand('x') as object), commandId: 'one' } as RoomCommand
    const added = run(add).state
    const removed = run({ type: 'remove_entry', entryId: 'entry-x' }, added).state
    expect(run(add, removed)).toEqual({ state: removed, changes: [] })
  })
})

describe('17.46 previous', () => {
  const back = { track: makeTrack('before'), addedBy: { id: 'guest', username: 'gus' }, entryId: 'returned' }
  const play = runCommands(room, [{ type: 'play' }], 20_000)
  const at = (afterMs: number) => contextAt(20_120 + afterMs)

  it('4.14, 17.46 within the first 3 s goes back, and the current track queues first', () => {
    const { state, changes } = run({ type: 'previous', back }, play, at(2_900))
    expect(state.track?.id).toBe('before')
    expect(state.trackAddedBy).toEqual(back.addedBy)
    expect(state.cue).not.toBeNull()
    expect(idsOf(state)).toEqual(['current', 'a', 'b', 'c', 'd'])
    expect(state.queue[0]).toMatchObject({ entry_id: 'returned', position: 0, added_by: 'guest' })
    expect(changes.toSorted()).toEqual(['playback', 'queue', 'track'])
  })

  it('4.14 later, or without a track before it, restarts the current track', () => {
    for (const state of [
      run({ type: 'previous', back }, play, at(3_200)).state,
      run({ type: 'previous', back: null }, play, at(1_000)).state,
    ]) {
      expect(state.timeline).toMatchObject({ trackId: 'current', positionMs: 0 })
      expect(state.queue).toBe(play.queue)
    }
  })

  it('17.461 takes the track that it goes back to from the end of a queue that repeats', () => {
    const repeating = { ...play, settings: { ...play.settings, repeat: true } }
    const next = run({ type: 'next' }, repeating, at(1_000)).state
    expect(idsOf(next)).toEqual(['b', 'c', 'd', 'current'])
    const gone = { ...back, track: makeTrack('current') }
    const { state } = run({ type: 'previous', back: gone }, next, at(2_000))
    expect(state.track?.id).toBe('current')
    expect(idsOf(state)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('17.46 in a room that ran out of tracks the last one plays again', () => {
    const { state } = run({ type: 'previous', back }, emptyRoom, at(0))
    expect(state.track?.id).toBe('before')
    expect(state.queue).toEqual([])
  })
})
