import { describe, expect, it } from 'vitest'
import { defaultRoomSettings } from '../protocol/entities.ts'
import { by, addCommand, contextAt, emptyRoom, guest, owner, runCommands, startMs } from '../testing/rooms.ts'
import { makeTrack } from '../testing/tracks.ts'
import { reduceRoom } from './reduce-room.ts'
import { type RoomCommand, type RoomState, asMember } from './room-state.ts'

/** The room of a playing track with two of the guest's waiting; the guest may have three. */
const limited: RoomState = {
  ...runCommands(
    emptyRoom,
    ['current', 'a', 'b'].map((id) => addCommand(id)),
  ),
  settings: { ...defaultRoomSettings, waitingTracks: 3 },
}
const asGuest = contextAt(10_000, { actor: guest })
const asOwner = contextAt(10_000, { actor: owner })
const other = contextAt(10_000, { actor: asMember('other', false) })
const run = (command: RoomCommand, state = limited, context = asGuest) => reduceRoom(state, command, context)
const idsOf = ({ queue }: RoomState): string[] => queue.map((entry) => entry.id)
const add = (id: string, userId = 'guest') => ({ ...addCommand(id), addedBy: by(userId) }) as RoomCommand
const refusal = expect.objectContaining({ code: 'too_many_waiting' })
const full = run(add('c')).state
const addAll = (ids: string[], userId = 'guest'): RoomCommand => ({
  type: 'add_tracks',
  importId: 'import',
  tracks: ids.map((id) => makeTrack(id)),
  addedBy: by(userId),
})

describe('17.478 waiting tracks of one member', () => {
  it('17.478 refuses one more than the limit, until one has played or is removed; others add theirs', () => {
    expect(idsOf(full)).toEqual(['a', 'b', 'c'])
    expect(() => run(add('d'), full)).toThrow(refusal)
    expect(idsOf(run(add('x', 'other'), full, other).state)).toEqual(['a', 'b', 'c', 'x'])
    const skipped = run({ type: 'next' }, full, asOwner).state
    expect(idsOf(run(add('d'), skipped).state)).toEqual(['b', 'c', 'd'])
    const removed = run({ type: 'remove_entry', entryId: 'entry-a' }, full).state
    expect(idsOf(run(add('d'), removed).state)).toEqual(['b', 'c', 'd'])
  })

  it('17.478 does not hold for the owner and for who has the controls, but where everybody controls', () => {
    const many = ['x', 'y', 'z', 'u']
    const fill = (state: RoomState, by: string, context: typeof asGuest) =>
      idsOf(many.reduce((room, id) => run(add(id, by), room, context).state, state))
    expect(fill(limited, 'owner', asOwner)).toEqual(['a', 'b', ...many])
    expect(fill({ ...limited, controllerId: 'guest' }, 'guest', asGuest)).toEqual(['a', 'b', ...many])
    const everybody = { ...full, settings: { ...full.settings, control: 'everybody' } } as const
    expect(() => run(add('d'), everybody)).toThrow(refusal)
  })

  it('17.478 a track that becomes current does not wait', () => {
    const empty = { ...limited, track: null, queue: [] }
    const added = ['a', 'b', 'c', 'd'].reduce<RoomState>((room, id) => run(add(id), room).state, empty)
    expect(idsOf(added)).toEqual(['b', 'c', 'd'])
    expect(idsOf(run(addAll(['a', 'b', 'c', 'd', 'e']), empty).state)).toEqual(['b', 'c', 'd'])
    const order = (ids: string[]): RoomCommand => ({
      type: 'arrange_queue',
      order: [],
      added: ids.map((id) => ({ track: makeTrack(id), entryId: id })),
      addedBy: by('guest'),
    })
    expect(idsOf(run(order(['a', 'b', 'c', 'd']), empty).state)).toEqual(['b', 'c', 'd'])
    expect(() => run(order(['a', 'b', 'c', 'd', 'e']), empty)).toThrow(refusal)
    expect(() => run(order(['d']), full)).toThrow(refusal)
  })

  it('17.478 holds for an Undo, of whoever added the tracks; the owner brings back all', () => {
    const restore: RoomCommand = {
      type: 'restore_entries',
      entries: full.queue,
      removedAtMs: startMs + 9_000,
    }
    const meanwhile = { ...full, queue: [{ ...full.queue[0]!, entry_id: 'new', position: 0 }] }
    for (const context of [asGuest, other])
      expect(run(restore, meanwhile, context).state.queue.map((entry) => entry.entry_id)).toEqual([
        'entry-a',
        'entry-b',
        'new',
      ])
    const three = full.queue.map((entry) => ({ ...entry, entry_id: `new ${entry.entry_id}` }))
    expect(() => run(restore, { ...full, queue: three })).toThrow(refusal)
    expect(run(restore, { ...full, queue: three }, asOwner).state.queue).toHaveLength(6)
  })

  it('17.479 an import adds as many as the member may have waiting, and the others later', () => {
    const part = addAll(['c', 'd', 'e'])
    const { state } = run(part)
    expect(idsOf(state)).toEqual(['a', 'b', 'c'])
    expect(run(part, state).changes).toEqual([])
    const skipped = run({ type: 'next' }, state, asOwner).state
    expect(idsOf(run(part, skipped).state)).toEqual(['b', 'c', 'd'])
  })
})
