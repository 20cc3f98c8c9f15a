import { describe, expect, it } from 'vitest'
import { addCommand, contextAt, emptyRoom, runCommands, server, startMs } from '../testing/rooms.ts'
import { makeTrack } from '../testing/tracks.ts'
import { emptyTimeline } from '../sync/timeline.ts'
import { isCueComplete } from './track-change.ts'
import { reduceRoom } from './reduce-room.ts'
import { dueAt, dueCommand } from './due.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

const paused = runCommands(
  emptyRoom,
  ['a', 'b', 'c'].map((id) => addCommand(id)),
)
const playing = reduceRoom(paused, { type: 'play' }, contextAt(10_000)).state
const byServer = (afterMs: number) => contextAt(afterMs, { actor: server })

describe('next', () => {
  it('4.13a makes the first queue entry the current track, cued at 0 and not playing', () => {
    const { state, changes } = reduceRoom(playing, { type: 'next' }, contextAt(20_000))
    expect(state.track).toEqual(makeTrack('b'))
    expect(state.timeline).toMatchObject({
      trackId: 'b',
      isPlaying: false,
      positionMs: 0,
      isCueing: true,
      durationMs: 200_000,
      sequenceNumber: playing.timeline.sequenceNumber + 1,
    })
    expect(state.queue.map((entry) => [entry.id, entry.position])).toEqual([['c', 0]])
    expect(changes.toSorted()).toEqual(['playback', 'queue', 'track'])
  })

  it('4.13b starts the cued track of a playing room, after 3 s at the latest', () => {
    const { state } = reduceRoom(playing, { type: 'next' }, contextAt(20_000))
    expect(dueAt(state)).toBe(startMs + 23_000)
    const start: RoomCommand = { type: 'start_cued', sequenceNumber: state.timeline.sequenceNumber }
    const { state: started, changes } = reduceRoom(state, start, byServer(21_000))
    expect(started.timeline).toMatchObject({
      isPlaying: true,
      isCueing: false,
      positionMs: 0,
      atServerMs: startMs + 21_120,
      sequenceNumber: state.timeline.sequenceNumber + 100,
    })
    expect(started.cue).toBeNull()
    expect(changes).toEqual(['playback'])
  })

  it('4.13b keeps a paused room paused', () => {
    const { state } = reduceRoom(paused, { type: 'next' }, contextAt(20_000))
    expect(state.timeline).toMatchObject({ trackId: 'b', isPlaying: false, isCueing: false })
    expect(dueAt(state)).toBeNull()
  })

  it('keeps the pending start when repeated', () => {
    const room = runCommands(playing, [{ type: 'next' }, { type: 'next' }], 20_000)
    expect(room.track?.id).toBe('c')
    expect(room.cue).toEqual({ deadlineAtMs: startMs + 24_000 })
  })

  it('17.231 changes nothing where the track that it names has ended, or was skipped by somebody else', () => {
    const skipA: RoomCommand = { type: 'next', trackId: 'a' }
    const ended = reduceRoom(playing, dueCommand(playing, startMs + 300_000)!, byServer(300_000)).state
    expect(ended.track?.id).toBe('b')
    expect(reduceRoom(ended, skipA, contextAt(300_100))).toMatchObject({
      state: { track: { id: 'b' } },
      changes: [],
    })
    const inARow = runCommands(playing, [skipA, skipA, { type: 'next', trackId: 'b' }], 20_000)
    expect(inARow.track?.id).toBe('c')
  })

  it('4.13d leaves no current track if the queue is empty', () => {
    const last = runCommands(playing, [{ type: 'next' }, { type: 'next' }, { type: 'next' }], 20_000)
    expect(last).toMatchObject({ track: null, cue: null, queue: [] })
    expect(last.timeline).toMatchObject({
      trackId: null,
      isPlaying: false,
      isCueing: false,
      durationMs: null,
    })
    expect(() => reduceRoom(last, { type: 'next' }, contextAt(30_000))).toThrow(
      expect.objectContaining({ code: 'no_track' }),
    )
  })
})

describe('a cued track', () => {
  const cued = reduceRoom(playing, { type: 'next' }, contextAt(20_000)).state

  it('does not start after a pause', () => {
    const { state, changes } = reduceRoom(cued, { type: 'pause' }, contextAt(20_500))
    expect(changes).toEqual(['playback'])
    expect(state.timeline).toMatchObject({ isPlaying: false, isCueing: false })
    expect(state.timeline.sequenceNumber).toBe(cued.timeline.sequenceNumber + 100)
    expect(dueAt(state)).toBeNull()
  })

  it('is not cued again by play, and starts at the position of a seek', () => {
    expect(reduceRoom(cued, { type: 'play' }, contextAt(20_500)).changes).toEqual([])
    expect(reduceRoom(cued, { type: 'previous' }, contextAt(20_500)).changes).toEqual([])
    const sought = reduceRoom(cued, { type: 'seek', positionMs: 30_000 }, contextAt(20_500)).state
    expect(sought.timeline).toMatchObject({ isPlaying: false, isCueing: true, positionMs: 30_000 })
    expect(dueAt(sought)).toBe(startMs + 23_000)
  })

  it('is not started by a command for an earlier cue', () => {
    const stale: RoomCommand = { type: 'start_cued', sequenceNumber: cued.timeline.sequenceNumber - 1 }
    expect(reduceRoom(cued, stale, byServer(21_000)).changes).toEqual([])
  })

  it('4.13b waits for all members, or for 90 % in rooms over 20', () => {
    expect(isCueComplete(1, 2)).toBe(false)
    expect(isCueComplete(2, 2)).toBe(true)
    expect(isCueComplete(19, 20)).toBe(false)
    expect(isCueComplete(20, 20)).toBe(true)
    expect(isCueComplete(18, 21)).toBe(false)
    expect(isCueComplete(19, 21)).toBe(true)
    expect(isCueComplete(899, 1_000)).toBe(false)
    expect(isCueComplete(900, 1_000)).toBe(true)
  })
})

describe("a track's end", () => {
  const endMs = 10_120 + 200_000

  it('4.16a is due when the track has played to the end', () => {
    expect(dueAt(playing)).toBe(startMs + endMs)
    expect(dueCommand(playing, startMs + endMs - 1)).toBeNull()
    expect(dueCommand(playing, startMs + endMs)).toEqual({
      type: 'track_ended',
      sequenceNumber: playing.timeline.sequenceNumber,
    })
  })

  it('4.16a makes the next track current and starts it', () => {
    let state = playing
    for (const expected of ['track_ended', 'start_cued']) {
      const nowMs = dueAt(state) ?? 0
      const command = dueCommand(state, nowMs)
      expect(command?.type).toBe(expected)
      state = reduceRoom(state, command!, { actor: server, nowMs, leadMs: 120 }).state
    }
    expect(state.timeline).toMatchObject({ trackId: 'b', isPlaying: true, positionMs: 0 })
    expect(state.timeline.atServerMs).toBe(startMs + endMs + 3_000 + 120)
  })

  it('4.16a takes effect once, even if several servers issue it', () => {
    const ended = dueCommand(playing, startMs + endMs)!
    const { state } = reduceRoom(playing, ended, byServer(endMs))
    expect(reduceRoom(state, ended, byServer(endMs)).changes).toEqual([])
  })

  it('4.16a has no effect in a paused room, even with the current sequence number', () => {
    const { sequenceNumber } = paused.timeline
    const ended: RoomCommand = { type: 'track_ended', sequenceNumber }
    expect(reduceRoom(paused, ended, byServer(endMs))).toMatchObject({
      changes: [],
      state: { track: { id: 'a' } },
    })
  })

  it('4.16a is postponed by a seek and by a pause', () => {
    const sought = runCommands(playing, [{ type: 'seek', positionMs: 0 }], 100_000)
    expect(dueAt(sought)).toBe(startMs + 100_220 + 200_000)
    expect(dueAt(runCommands(playing, [{ type: 'pause' }], 100_000))).toBeNull()
  })

  it('16.5 waits for a listener in an empty room, without using up the queue', () => {
    const ended = dueCommand(playing, startMs + endMs, { isRoomEmpty: true })!
    const waiting = reduceRoom(playing, ended, byServer(endMs)).state
    expect(waiting).toMatchObject({ isAwaitingListeners: true, track: { id: 'b' }, cue: null })
    expect(waiting.timeline).toMatchObject({ isPlaying: false, isCueing: false, positionMs: 0 })
    expect(dueAt(waiting)).toBeNull()
    const arrived = reduceRoom(waiting, { type: 'listener_arrived' }, byServer(endMs + 60_000)).state
    expect(arrived).toMatchObject({ isAwaitingListeners: false, track: { id: 'b' } })
    expect(dueCommand(arrived, dueAt(arrived)!)?.type).toBe('start_cued')
  })

  it('16.5 an arrival changes nothing in a room that was paused by hand, plays or has no track', () => {
    for (const room of [paused, playing, { ...playing, track: null, timeline: emptyTimeline }]) {
      expect(reduceRoom(room, { type: 'listener_arrived' }, byServer(1_000)).changes).toEqual([])
    }
  })

  it('4.16b leaves the room without a current track if the queue is empty', () => {
    const room: RoomState = { ...playing, queue: [] }
    const { state, changes } = reduceRoom(room, dueCommand(room, startMs + endMs)!, byServer(endMs))
    expect(state.track).toBeNull()
    expect(state.timeline).toMatchObject({ trackId: null, isPlaying: false })
    expect(changes.toSorted()).toEqual(['playback', 'track'])
    expect(dueAt(state)).toBeNull()
  })

  it('10.12c is never due for a track of unknown duration, until its duration is reported', () => {
    const room = runCommands(emptyRoom, [addCommand('video', 180_000, 'youtube'), { type: 'play' }])
    expect(dueAt(room)).toBeNull()
    const known = runCommands(room, [{ type: 'correct_duration', durationMs: 180_000 }], 5_000)
    expect(dueAt(known)).toBe(known.timeline.atServerMs + 180_000)
  })

  it('10.12c next leaves a track of unknown duration', () => {
    const video = addCommand('video', 180_000, 'youtube')
    const room = runCommands(emptyRoom, [video, addCommand('b'), { type: 'play' }, { type: 'next' }])
    expect(room.timeline).toMatchObject({ trackId: 'b', durationMs: 200_000 })
  })
})

describe('a selected track', () => {
  const select = (rest: Partial<Extract<RoomCommand, { type: 'select_track' }>>) =>
    ({ type: 'select_track', track: makeTrack('z'), entryId: null, isPlaying: true, ...rest }) as const

  it('7.18 becomes current, is cued and then started', () => {
    const { state, changes } = reduceRoom(playing, select({}), contextAt(20_000))
    expect(state.track?.id).toBe('z')
    expect(state.cue).not.toBeNull()
    expect(state.queue).toEqual(playing.queue)
    expect(changes.toSorted()).toEqual(['playback', 'track'])
  })

  it('7.18 is removed from the queue if it was queued', () => {
    const track = makeTrack('c')
    const { state, changes } = reduceRoom(
      playing,
      select({ track, entryId: 'entry-c', isPlaying: false }),
      contextAt(20_000),
    )
    expect(state.track?.id).toBe('c')
    expect(state.cue).toBeNull()
    expect(state.queue.map((entry) => entry.id)).toEqual(['b'])
    expect(changes).toContain('queue')
  })

  it('7.18 replaces a cued track, and restarts the playing one', () => {
    const cued = reduceRoom(playing, { type: 'next' }, contextAt(20_000)).state
    const other = reduceRoom(cued, select({}), contextAt(20_010))
    expect(other.state.timeline).toMatchObject({ trackId: 'z', isCueing: true })
    const again = reduceRoom(playing, select({ track: makeTrack('a') }), contextAt(20_000))
    expect(again.changes).toContain('playback')
    expect(again.state.timeline).toMatchObject({ trackId: 'a', positionMs: 0, isCueing: true })
  })

  it('7.18 becomes current even if its queue entry is gone, and the queue stays unchanged', () => {
    for (const queue of [playing.queue, playing.queue.slice(0, 1), []]) {
      const room = { ...playing, queue }
      const { state, changes } = reduceRoom(room, select({ entryId: 'gone' }), contextAt(20_000))
      expect(state.track?.id).toBe('z')
      expect(state.queue).toBe(queue)
      expect(changes).not.toContain('queue')
    }
  })

  it('7.18 is not cued again by the announcement that follows next', () => {
    const cued = reduceRoom(playing, { type: 'next' }, contextAt(20_000)).state
    expect(reduceRoom(cued, select({ track: makeTrack('b') }), contextAt(20_010)).changes).toEqual([])
  })
})
