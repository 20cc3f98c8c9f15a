import { describe, expect, it } from 'vitest'
import type { QueueEntry } from '../protocol/entities.ts'
import {
  by,
  addCommand,
  contextAt,
  emptyRoom,
  guest,
  newRoom,
  runCommands,
  server,
} from '../testing/rooms.ts'
import { makeTrack } from '../testing/tracks.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

const room = runCommands(
  emptyRoom,
  ['current', 'a', 'b', 'c'].map((id) => addCommand(id)),
)
const asGuest = contextAt(5_000, { actor: guest })
const idsOf = (queue: QueueEntry[]) => queue.map((entry) => entry.id)
const arrange = (order: string[], ids: string[] = []): RoomCommand => ({
  type: 'arrange_queue',
  order: order.map((id) => `entry-${id}`),
  added: ids.map((id) => ({ track: makeTrack(id), entryId: `entry-${id}` })),
  addedBy: by('guest'),
})

describe('adding', () => {
  it('4.17a makes the track current, paused at 0, if there is none', () => {
    const { state, changes } = reduceRoom(emptyRoom, addCommand('a'), asGuest)
    expect(state.track).toEqual(makeTrack('a'))
    expect(state.queue).toEqual([])
    expect(state.timeline).toMatchObject({ trackId: 'a', isPlaying: false, positionMs: 0, sequenceNumber: 1 })
    expect(changes.toSorted()).toEqual(['playback', 'track'])
  })

  it('4.17b otherwise appends it: at position 0 in an empty queue, else after the highest', () => {
    expect(room.queue.map((entry) => [entry.id, entry.position])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ])
    const { state, changes } = reduceRoom(room, addCommand('d'), asGuest)
    expect(state.queue.at(-1)).toEqual({
      ...makeTrack('d'),
      entry_id: 'entry-d',
      position: 3,
      added_by: 'guest',
    })
    expect(changes).toEqual(['queue'])
    expect(state.timeline).toEqual(room.timeline)
  })

  it('adds an entry once, even if the command is repeated', () => {
    expect(reduceRoom(room, addCommand('a'), asGuest)).toEqual({ state: room, changes: [] })
  })

  it('9.29 refuses more than 1000 entries', () => {
    const queue = Array.from({ length: 1_000 }, (_, position) => ({
      ...makeTrack(`t${position}`),
      entry_id: `e${position}`,
      position,
      added_by: null,
    }))
    const full: RoomState = { ...room, queue }
    const refusal = expect.objectContaining({ code: 'queue_full' })
    expect(() => reduceRoom(full, addCommand('one-more'), asGuest)).toThrow(refusal)
    expect(() => reduceRoom(full, arrange([], ['one-more']), asGuest)).toThrow(refusal)
    const almost: RoomState = { ...full, queue: queue.slice(1) }
    expect(reduceRoom(almost, addCommand('one-more'), asGuest).state.queue).toHaveLength(1_000)
  })
})

describe('removing', () => {
  it('4.18 renumbers the others from 0 without a gap', () => {
    const { state, changes } = reduceRoom(room, { type: 'remove_entry', entryId: 'entry-a' }, asGuest)
    expect(state.queue.map((entry) => [entry.id, entry.position])).toEqual([
      ['b', 0],
      ['c', 1],
    ])
    expect(changes).toEqual(['queue'])
  })

  it('5.7b of a missing entry fails and changes nothing', () => {
    expect(() => reduceRoom(room, { type: 'remove_entry', entryId: 'entry-x' }, asGuest)).toThrow(
      expect.objectContaining({ code: 'queue_entry_not_found' }),
    )
  })
})

describe('arranging', () => {
  it('7.17 applies the order', () => {
    const { state } = reduceRoom(room, arrange(['c', 'a', 'b']), asGuest)
    expect(idsOf(state.queue)).toEqual(['c', 'a', 'b'])
  })

  it('7.17 adds new tracks at their place in the order', () => {
    const { state } = reduceRoom(room, arrange(['b', 'd', 'a', 'c'], ['d', 'e']), asGuest)
    expect(idsOf(state.queue)).toEqual(['b', 'd', 'a', 'c', 'e'])
  })

  it('7.17 keeps entries that the order omits, and ignores unknown ids', () => {
    const { state } = reduceRoom(room, arrange(['c', 'unknown', 'c']), asGuest)
    expect(idsOf(state.queue)).toEqual(['c', 'a', 'b'])
  })

  it('changes nothing if the order is the current one', () => {
    expect(reduceRoom(room, arrange(['a', 'b']), asGuest)).toEqual({ state: room, changes: [] })
  })

  it('4.17a makes the first added track current if there is none', () => {
    const { state, changes } = reduceRoom(emptyRoom, arrange([], ['a', 'b']), asGuest)
    expect(state.track?.id).toBe('a')
    expect(idsOf(state.queue)).toEqual(['b'])
    expect(state.timeline.isPlaying).toBe(false)
    expect(changes.toSorted()).toEqual(['playback', 'queue', 'track'])
  })
})

describe('a track added to a room without one', () => {
  const startsWith = (room: RoomState) => {
    const { state, changes } = reduceRoom(room, addCommand('a'), contextAt(0, { actor: guest }))
    expect(changes).toEqual(['track', 'playback'])
    expect(state.timeline).toMatchObject({ trackId: 'a', isPlaying: false, positionMs: 0 })
    return state.cue !== null
  }

  it('17.25 starts by itself, whoever adds it', () => {
    expect(startsWith(newRoom)).toBe(true)
    const added = runCommands(newRoom, [addCommand('a')])
    const sequenceNumber = added.timeline.sequenceNumber
    const started = reduceRoom(
      added,
      { type: 'start_cued', sequenceNumber },
      contextAt(1_000, { actor: server }),
    )
    expect(started.state.timeline.isPlaying).toBe(true)
  })

  it('17.25 starts by itself after the queue has run out', () => {
    const over = runCommands(newRoom, [addCommand('a'), { type: 'next' }])
    expect(over.track).toBeNull()
    expect(startsWith(over)).toBe(true)
  })

  it('4.17a, 17.25 waits for play in a room that was paused by hand', () => {
    expect(startsWith(runCommands(newRoom, [{ type: 'pause' }]))).toBe(false)
    const skipped = runCommands(newRoom, [addCommand('a'), { type: 'pause' }, { type: 'next' }])
    expect(startsWith(skipped)).toBe(false)
    const played = runCommands(skipped, [addCommand('b'), { type: 'play' }, { type: 'next' }], 5_000)
    expect(startsWith(played)).toBe(true)
  })

  it('17.25 starts by itself as the first of an import, and of an arranged queue', () => {
    const tracks = [makeTrack('a'), makeTrack('b')]
    const imported = reduceRoom(
      newRoom,
      { type: 'add_tracks', importId: 'import', tracks, addedBy: by('guest') },
      contextAt(0, { actor: guest }),
    )
    expect(imported.state).toMatchObject({ track: { id: 'a' }, cue: { deadlineAtMs: expect.any(Number) } })
    const added = tracks.map((track, index) => ({ track, entryId: `e${index}` }))
    const arranged = reduceRoom(
      newRoom,
      { type: 'arrange_queue', order: ['e1'], added, addedBy: by('guest') },
      contextAt(0, { actor: guest }),
    )
    expect(arranged.state.cue).not.toBeNull()
  })
})
