import { describe, expect, it } from 'vitest'
import { defaultRoomSettings } from '../protocol/entities.ts'
import { addCommand, contextAt, emptyRoom, guest, runCommands, server } from '../testing/rooms.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomCommand, RoomState } from './room-state.ts'
import { neededVotes } from './skip-votes.ts'

const paused = runCommands(
  { ...emptyRoom, settings: { ...defaultRoomSettings, skipVotes: 'half' } },
  ['a', 'b', 'c'].map((id) => addCommand(id)),
)
const playing = reduceRoom(paused, { type: 'play' }, contextAt(10_000)).state
const run = (state: RoomState, command: RoomCommand, atMs = 20_000, actor = server) =>
  reduceRoom(state, command, contextAt(atMs, { actor }))
const skipTurn = (state: RoomState, turn = state.turn) =>
  run(state, { type: 'skip_by_vote', turn, loaded: null })

it('17.472 more than half of the listeners skip a track, or a third', () => {
  const needed = (skipVotes: 'half' | 'third') =>
    [0, 1, 2, 3, 4, 5, 6, 7, 1_000].map((listeners) =>
      neededVotes({ ...defaultRoomSettings, skipVotes }, listeners),
    )
  expect(needed('half')).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 501])
  expect(needed('third')).toEqual([1, 1, 1, 1, 2, 2, 2, 3, 334])
})

describe('17.472 enough votes', () => {
  it('skip as next does', () => {
    for (const state of [playing, paused, { ...playing, settings: { ...playing.settings, repeat: true } }]) {
      const next = run(state, { type: 'next' })
      const { recentCommandIds: _ids, lastCommandsAtMs: _at, ...expected } = next.state
      expect(skipTurn(state).state).toMatchObject(expected)
      expect(skipTurn(state).changes).toEqual(next.changes)
    }
  })

  it('skip a track once, and none where the room has no votes any more, or no track', () => {
    const { state } = skipTurn(playing)
    expect(state.track?.id).toBe('b')
    expect(skipTurn(state, playing.turn).changes).toEqual([])
    expect(skipTurn({ ...playing, settings: defaultRoomSettings }).changes).toEqual([])
    const ended = skipTurn(skipTurn(state).state).state
    expect([ended.track, skipTurn(ended).changes]).toEqual([null, []])
  })

  it('are counted by the server alone', () => {
    const command: RoomCommand = { type: 'skip_by_vote', turn: playing.turn, loaded: null }
    expect(() => run(playing, command, 20_000, guest)).toThrow(expect.objectContaining({ code: 'not_owner' }))
  })
})

describe('17.471 a turn', () => {
  it('lasts while its track is current, whatever happens to it', () => {
    const later = runCommands(
      playing,
      [
        { type: 'pause' },
        { type: 'seek', positionMs: 60_000 },
        { type: 'play' },
        { type: 'previous' },
        { type: 'correct_duration', durationMs: 100_000 },
        addCommand('d'),
      ],
      20_000,
    )
    expect(later.timeline.sequenceNumber).toBeGreaterThan(playing.timeline.sequenceNumber)
    expect(later.turn).toBe(playing.turn)
  })

  it('begins anew with each track, also where the same one is repeated', () => {
    const single = { ...playing, queue: [], settings: { ...playing.settings, repeat: true } }
    const again = run(single, { type: 'next' }).state
    expect(again.track?.id).toBe('a')
    const chosen = run(again, { type: 'select_track', track: again.track!, entryId: null, isPlaying: true })
    const turns = [single, again, run(playing, { type: 'next' }).state, chosen.state].map((each) => each.turn)
    expect(turns[1]).toBeGreaterThan(turns[0]!)
    expect(turns[2]).toBeGreaterThan(turns[0]!)
    expect(skipTurn(again, single.turn).changes).toEqual([])
  })
})
