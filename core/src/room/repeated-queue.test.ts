import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { addCommand, contextAt, emptyRoom, runCommands, server } from '../testing/rooms.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

const paused = runCommands(
  emptyRoom,
  ['a', 'b', 'c'].map((id) => addCommand(id)),
)
const playing = reduceRoom(paused, { type: 'play' }, contextAt(10_000)).state
const byServer = (afterMs: number) => contextAt(afterMs, { actor: server })

describe('17.461 a room that repeats its queue', () => {
  const repeating = { ...playing, settings: { ...playing.settings, repeat: true } }
  const idsOf = ({ queue }: RoomState) => queue.map((entry) => [entry.id, entry.position])
  const end = (state: RoomState, atMs: number, isRoomEmpty = false): RoomState => {
    const { sequenceNumber } = state.timeline
    return reduceRoom(state, { type: 'track_ended', sequenceNumber, isRoomEmpty }, byServer(atMs)).state
  }

  it('appends a track that has ended, or was skipped, for who added it', () => {
    const next = reduceRoom(repeating, { type: 'next' }, contextAt(20_000)).state
    expect([next.track?.id, idsOf(next)]).toEqual([
      'b',
      [
        ['c', 0],
        ['a', 1],
      ],
    ])
    expect(next.queue.at(-1)?.added_by).toBe('guest')
    const start: RoomCommand = { type: 'start_cued', sequenceNumber: next.timeline.sequenceNumber }
    const ended = end(reduceRoom(next, start, byServer(21_000)).state, 222_000)
    expect([ended.track?.id, idsOf(ended)]).toEqual([
      'c',
      [
        ['a', 0],
        ['b', 1],
      ],
    ])
    expect(new Set(ended.queue.map((entry) => entry.entry_id)).size).toBe(2)
  })

  it('plays a single track again, and waits with it where nobody listens', () => {
    const single = { ...repeating, queue: [] }
    const ended = end(single, 210_000)
    expect([ended.track?.id, ended.queue, ended.timeline.isCueing]).toEqual(['a', [], true])
    expect(end(single, 210_000, true)).toMatchObject({ isAwaitingListeners: true, cue: null })
  })

  it('leaves out what cannot be played, and what a full queue has no place for', () => {
    const skip: RoomCommand = { type: 'skip_unavailable', trackId: 'a', unavailableEntryIds: [] }
    expect(idsOf(reduceRoom(repeating, skip, byServer(20_000)).state)).toEqual([['c', 0]])
    const full = Array.from({ length: limits.queueMaxLength }, (_, index) => ({
      ...playing.queue[0]!,
      entry_id: `e${index}`,
    }))
    expect(end({ ...repeating, queue: full }, 210_000).queue).toHaveLength(limits.queueMaxLength - 1)
  })
})
