import { expect, it } from 'vitest'
import { endsAt } from '../sync/timeline.ts'
import { addCommand, contextAt, emptyRoom, owner, runCommands, server, startMs } from '../testing/rooms.ts'
import { makeTrack } from '../testing/tracks.ts'
import { reduceRoom } from './reduce-room.ts'
import type { LoadedNext, RoomCommand, RoomState } from './room-state.ts'

const queued = runCommands(
  emptyRoom,
  ['a', 'b', 'c'].map((id) => addCommand(id)),
)
const playing = reduceRoom(queued, { type: 'play' }, contextAt(10_000)).state
const endMs = endsAt(playing.timeline)! - startMs

const loadedNext = (room: RoomState, entryId = 'entry-b'): LoadedNext => ({
  sequenceNumber: room.timeline.sequenceNumber,
  entryId,
})
const startNext = (room: RoomState, entryId = 'entry-b'): RoomCommand => ({
  type: 'start_next',
  sequenceNumber: room.timeline.sequenceNumber,
  entryId,
})
const run = (room: RoomState, command: RoomCommand, atMs = endMs - 250) =>
  reduceRoom(room, command, contextAt(atMs, { actor: server }))

it('17.462 the next track starts at the end of the one that plays, without a cue', () => {
  const { state, changes } = run(playing, startNext(playing))
  expect(state.track).toEqual(makeTrack('b'))
  expect(state.timeline).toMatchObject({
    trackId: 'b',
    isPlaying: true,
    isCueing: false,
    positionMs: 0,
    atServerMs: startMs + endMs,
    durationMs: 200_000,
  })
  expect(state.timeline.sequenceNumber).toBeGreaterThan(playing.timeline.sequenceNumber)
  expect(state.cue).toBeNull()
  expect(state.queue.map((entry) => [entry.id, entry.position])).toEqual([['c', 0]])
  expect(changes.toSorted()).toEqual(['playback', 'queue', 'track'])
})

it('17.462 it starts a lead later where the end is too near, and keeps its turn in a room that repeats', () => {
  expect(run(playing, startNext(playing), endMs - 50).state.timeline.atServerMs).toBe(startMs + endMs + 70)
  const repeating = { ...playing, settings: { ...playing.settings, repeat: true } }
  expect(run(repeating, startNext(repeating)).state.queue.map(({ id }) => id)).toEqual(['c', 'a'])
})

it('17.462 it changes nothing when out of date, too early, or where a provider plays one of the two tracks', () => {
  const stale = { ...startNext(playing), sequenceNumber: playing.timeline.sequenceNumber - 1 } as RoomCommand
  expect(run(playing, stale).changes).toEqual([])
  expect(run(playing, startNext(playing, 'entry-c')).changes).toEqual([])
  expect(run(playing, startNext(playing), endMs - 3_001).changes).toEqual([])
  const paused = reduceRoom(playing, { type: 'pause' }, contextAt(20_000)).state
  expect(run(paused, startNext(paused)).changes).toEqual([])
  for (const sources of [['library', 'youtube'] as const, ['youtube', 'library'] as const]) {
    const mixed = runCommands(
      emptyRoom,
      sources.map((source, index) => addCommand(index === 0 ? 'a' : 'b', 200_000, source)),
    )
    const started = reduceRoom(mixed, { type: 'play' }, contextAt(10_000)).state
    expect(run(started, startNext(started)).changes).toEqual([])
  }
})

it('17.438 a next track that the listeners have loaded starts 0.1 s and a lead after the skip, without a cue', () => {
  const skips: RoomCommand[] = [
    { type: 'next', loaded: loadedNext(playing) },
    { type: 'skip_by_vote', turn: playing.turn, loaded: loadedNext(playing) },
  ]
  for (const skip of skips) {
    const room = { ...playing, settings: { ...playing.settings, skipVotes: 'half' as const } }
    const actor = skip.type === 'next' ? owner : server
    const { state, changes } = reduceRoom(room, skip, contextAt(30_000, { actor }))
    const timeline = { trackId: 'b', isPlaying: true, isCueing: false, positionMs: 0 }
    expect(state.timeline).toMatchObject({ ...timeline, atServerMs: startMs + 30_220 })
    expect(state.cue).toBeNull()
    expect(state.queue.map(({ id }) => id)).toEqual(['c'])
    expect(changes.toSorted()).toEqual(['playback', 'queue', 'track'])
    expect(state.turn).toBe(state.timeline.sequenceNumber)
  }
})

it('17.438 a next track is cued where another one was loaded, for an earlier timeline, or while the room is paused', () => {
  const skip = (room: RoomState, loaded: LoadedNext | null) =>
    reduceRoom(room, { type: 'next', loaded }, contextAt(30_000)).state
  const cued = { trackId: 'b', isPlaying: false, isCueing: true }
  expect(skip(playing, null).timeline).toMatchObject(cued)
  expect(skip(playing, loadedNext(playing, 'entry-c')).timeline).toMatchObject(cued)
  expect(skip(playing, { ...loadedNext(playing), sequenceNumber: 1 }).timeline).toMatchObject(cued)
  const paused = reduceRoom(playing, { type: 'pause' }, contextAt(20_000)).state
  expect(skip(paused, loadedNext(paused)).timeline).toMatchObject({ isPlaying: false, isCueing: false })
})
