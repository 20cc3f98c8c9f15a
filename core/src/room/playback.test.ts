import { describe, expect, it } from 'vitest'
import { positionAt } from '../sync/timeline.ts'
import { addCommand, contextAt, emptyRoom, runCommands, server, startMs } from '../testing/rooms.ts'
import { makeTrack } from '../testing/tracks.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomState } from './room-state.ts'

const paused = runCommands(emptyRoom, [addCommand('a'), addCommand('b')])
const playing = reduceRoom(paused, { type: 'play' }, contextAt(10_000)).state

describe('play', () => {
  it('4.11a, 9.16 marks the room playing, from the lead ahead of now', () => {
    const { state, changes } = reduceRoom(paused, { type: 'play' }, contextAt(10_000, { leadMs: 345 }))
    expect(state.timeline).toMatchObject({
      isPlaying: true,
      positionMs: 0,
      atServerMs: startMs + 10_345,
      sequenceNumber: paused.timeline.sequenceNumber + 100,
    })
    expect(state.hasPlayed).toBe(true)
    expect(changes).toEqual(['playback'])
  })

  it('4.11a changes nothing in a playing room, even before its scheduled start', () => {
    for (const afterMs of [10_050, 20_000]) {
      const outcome = reduceRoom(playing, { type: 'play' }, contextAt(afterMs))
      expect(outcome.changes).toEqual([])
      expect(outcome.state.timeline).toEqual(playing.timeline)
    }
  })

  it('resumes at the paused position', () => {
    const again = runCommands(playing, [{ type: 'pause' }, { type: 'play' }], 15_120)
    expect(again.timeline).toMatchObject({ isPlaying: true, positionMs: 5_000, atServerMs: startMs + 16_240 })
  })

  it('resumes at the paused position of a track of unknown duration', () => {
    const video = runCommands(emptyRoom, [
      addCommand('video', 180_000, 'youtube'),
      { type: 'seek', positionMs: 5_000 },
      { type: 'play' },
    ])
    expect(video.timeline).toMatchObject({ isPlaying: true, positionMs: 5_000 })
  })

  it('restarts a track that was paused at its end', () => {
    const over = runCommands(paused, [{ type: 'seek', positionMs: 200_000 }, { type: 'play' }])
    expect(over.timeline).toMatchObject({ isPlaying: true, positionMs: 0 })
  })

  it('17.457 cues the current track where it is while the listeners are loading it', () => {
    const sought = reduceRoom(paused, { type: 'seek', positionMs: 60_000 }, contextAt(9_000)).state
    const loading = { isAudienceLoading: true }
    const { state, changes } = reduceRoom(sought, { type: 'play' }, contextAt(10_000, loading))
    expect(changes).toEqual(['playback'])
    expect(state).toMatchObject({
      track: { id: 'a' },
      cue: { deadlineAtMs: startMs + 13_000 },
      timeline: { isPlaying: false, isCueing: true, positionMs: 60_000 },
    })
    const { sequenceNumber } = state.timeline
    const started = reduceRoom(
      state,
      { type: 'start_cued', sequenceNumber },
      contextAt(10_400, { actor: server }),
    )
    expect(started.state.timeline).toMatchObject({
      isPlaying: true,
      isCueing: false,
      positionMs: 60_000,
      atServerMs: startMs + 10_520,
    })
    // After a long pause outputs take longer to start: it still counts as one.
    expect(state.timeline.atServerMs).toBe(sought.timeline.atServerMs)
    const stopped = reduceRoom(state, { type: 'pause' }, contextAt(10_300)).state
    expect(stopped).toMatchObject({ cue: null, timeline: { isPlaying: false, positionMs: 60_000 } })
    // A seek of a room that plays, and what is cued already, wait for nobody else.
    const move = { type: 'seek', positionMs: 90_000 } as const
    expect(reduceRoom(playing, move, contextAt(20_000, loading)).state.cue).toBeNull()
    expect(reduceRoom(state, { type: 'play' }, contextAt(10_200, loading)).changes).toEqual([])
  })

  it('cues the first queue entry if no track is current', () => {
    const room: RoomState = { ...emptyRoom, queue: paused.queue }
    const { state, changes } = reduceRoom(room, { type: 'play' }, contextAt(0))
    expect(state.track?.id).toBe('b')
    expect(state.cue).toEqual({ deadlineAtMs: startMs + 3_000 })
    expect(changes.toSorted()).toEqual(['playback', 'queue', 'track'])
  })

  it('is refused without a current track and a queue', () => {
    expect(() => reduceRoom(emptyRoom, { type: 'play' }, contextAt(0))).toThrow(
      expect.objectContaining({ code: 'no_track' }),
    )
  })
})

describe('pause', () => {
  it('4.12 takes effect at once and stores the position including the elapsed time', () => {
    const { state } = reduceRoom(playing, { type: 'pause' }, contextAt(17_654))
    expect(state.timeline).toMatchObject({
      isPlaying: false,
      positionMs: 17_654 - 10_120,
      atServerMs: startMs + 17_654,
      sequenceNumber: playing.timeline.sequenceNumber + 100,
    })
  })

  it('4.12 before a scheduled start keeps the position of the start', () => {
    const { state } = reduceRoom(playing, { type: 'pause' }, contextAt(10_060))
    expect(state.timeline).toMatchObject({ isPlaying: false, positionMs: 0, atServerMs: startMs + 10_060 })
  })

  it('4.12 never stores a position beyond the end of the track', () => {
    const { state } = reduceRoom(playing, { type: 'pause' }, contextAt(900_000))
    expect(state.timeline.positionMs).toBe(200_000)
  })

  it('changes nothing in a paused room', () => {
    expect(reduceRoom(paused, { type: 'pause' }, contextAt(20_000)).changes).toEqual([])
    expect(reduceRoom(emptyRoom, { type: 'pause' }, contextAt(20_000)).changes).toEqual([])
  })
})

describe('seek', () => {
  it('4.15, 9.16, 17.469 stores the position; a playing room continues there 0.1 s after the lead', () => {
    const { state, changes } = reduceRoom(playing, { type: 'seek', positionMs: 60_000 }, contextAt(20_000))
    expect(state.timeline).toMatchObject({
      isPlaying: true,
      positionMs: 60_000,
      atServerMs: startMs + 20_220,
      sequenceNumber: playing.timeline.sequenceNumber + 1,
    })
    expect(changes).toEqual(['playback'])
  })

  it('17.469 a video moves after its own lead', () => {
    const video = { ...playing, timeline: { ...playing.timeline, source: 'youtube' as const } }
    const { state } = reduceRoom(video, { type: 'seek', positionMs: 60_000 }, contextAt(20_000))
    expect(state.timeline.atServerMs).toBe(startMs + 20_120)
  })

  it('4.15 takes effect at once in a paused room, which stays paused', () => {
    const { state } = reduceRoom(paused, { type: 'seek', positionMs: 60_000 }, contextAt(20_000))
    expect(state.timeline).toMatchObject({
      isPlaying: false,
      positionMs: 60_000,
      atServerMs: startMs + 20_000,
    })
  })

  it('4.15 is limited to the track', () => {
    const seekTo = (positionMs: number) =>
      reduceRoom(playing, { type: 'seek', positionMs }, contextAt(20_000)).state.timeline.positionMs
    expect(seekTo(-1)).toBe(0)
    expect(seekTo(200_001)).toBe(200_000)
  })

  it('9.15 is not limited by the sentinel of an unknown duration', () => {
    const room = runCommands(emptyRoom, [addCommand('video', 180_000, 'youtube')])
    const { state } = reduceRoom(room, { type: 'seek', positionMs: 400_000 }, contextAt(20_000))
    expect(state.timeline.positionMs).toBe(400_000)
  })

  it('is refused without a current track', () => {
    expect(() => reduceRoom(emptyRoom, { type: 'seek', positionMs: 0 }, contextAt(0))).toThrow(
      expect.objectContaining({ code: 'no_track' }),
    )
  })
})

describe('previous', () => {
  it('4.14 restarts the current track, which keeps playing', () => {
    const { state } = reduceRoom(playing, { type: 'previous' }, contextAt(50_000))
    expect(state.timeline).toMatchObject({
      trackId: 'a',
      isPlaying: true,
      positionMs: 0,
      atServerMs: startMs + 50_220,
      sequenceNumber: playing.timeline.sequenceNumber + 1,
    })
  })

  it('4.14 keeps a paused room paused', () => {
    const room = runCommands(playing, [{ type: 'pause' }, { type: 'previous' }], 15_000)
    expect(room.timeline).toMatchObject({ trackId: 'a', isPlaying: false, positionMs: 0 })
  })
})

describe("the owner's join", () => {
  const arrive = (room: RoomState, othersPresent: number) =>
    reduceRoom(room, { type: 'owner_joined', othersPresent }, contextAt(60_000))

  it('4.7c resets a room that never played', () => {
    const room = runCommands(paused, [{ type: 'seek', positionMs: 9_000 }])
    const { state, changes } = arrive(room, 3)
    expect(state.timeline).toMatchObject({ isPlaying: false, positionMs: 0 })
    expect(changes).toEqual(['playback'])
  })

  it('4.7c resets an idle room without other members', () => {
    const room = runCommands(playing, [{ type: 'pause' }], 20_000)
    expect(arrive(room, 0).state.timeline.positionMs).toBe(0)
    expect(arrive(room, 1).changes).toEqual([])
  })

  it('4.7c does not change a room that plays or is about to', () => {
    expect(arrive(playing, 0).changes).toEqual([])
    const cued = runCommands(playing, [{ type: 'next' }], 20_000)
    expect(arrive(cued, 0).changes).toEqual([])
    expect(positionAt(arrive(playing, 0).state.timeline, startMs + 60_000)).toBe(60_000 - 10_120)
  })
})

it('does not mutate its arguments', () => {
  const before = JSON.stringify(playing)
  reduceRoom(
    playing,
    { type: 'select_track', track: makeTrack('z'), entryId: null, isPlaying: true },
    contextAt(0),
  )
  reduceRoom(playing, { type: 'next', commandId: 'n' }, contextAt(0))
  expect(JSON.stringify(playing)).toBe(before)
})
