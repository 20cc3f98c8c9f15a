import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { emptyTimeline } from '../sync/timeline.ts'
import { newRoom } from '../testing/rooms.ts'
import {
  hasUnforcedPosition,
  planPlaybackUpdate,
  planTrackChange,
  toRoomCommand,
  withoutPosition,
} from './playback-update.ts'
import type { RoomState } from './room-state.ts'

const track = {
  id: 't1',
  title: 'One',
  artist: '',
  album: '',
  duration: 200_000,
  source: 'library' as const,
  albumArt: null,
  album_art: null,
}
const playing: RoomState = {
  ...newRoom,
  timeline: {
    ...emptyTimeline,
    trackId: 't1',
    source: 'library',
    isPlaying: true,
    positionMs: 10_000,
    atServerMs: 1_000_000,
    durationMs: 200_000,
  },
  track,
  queue: [{ ...track, id: 't2', entry_id: 'e2', position: 0, added_by: null }],
  hasPlayed: true,
}
const nowMs = 1_005_000
const plan = (sent: Parameters<typeof planPlaybackUpdate>[0], userId = 'owner') =>
  planPlaybackUpdate(sent, userId)(playing, nowMs)

describe('planPlaybackUpdate', () => {
  it('a state with a command is that command', () => {
    expect(plan({ is_command: true, command: 'pause', command_id: 'c1' })).toEqual([
      { type: 'pause', commandId: 'c1', isFollowUp: undefined },
    ])
    expect(plan({ is_command: true, command: 'seek', current_position: 5 })).toMatchObject([
      { type: 'seek', positionMs: 5 },
    ])
  })

  it('4.15 a manual seek is a seek at any distance', () => {
    for (const flag of ['is_seek_operation', 'manual_seek'] as const) {
      expect(plan({ [flag]: true, current_position: 15_001 })).toMatchObject([
        { type: 'seek', positionMs: 15_001 },
      ])
    }
  })

  it('7.16a a command counts also where nothing marks it as one, unless the state is a report', () => {
    expect(plan({ command: 'pause' })).toMatchObject([{ type: 'pause' }])
    expect(plan({ command: 'pause', is_command: false })).toEqual([])
    expect(plan({ command: 'pause', is_position_update: true })).toEqual([])
    expect(plan({ command: 'seek', is_playing: true })).toEqual([])
    for (const old of [
      { initialJoin: true },
      { track_id: 'another' },
      { sequence_number: playing.timeline.sequenceNumber - 1 },
    ])
      expect(plan({ command: 'next', ...old })).toEqual([])
  })

  it('7.16a a state from before the last change, or of a player at the end of its track, does not pause the room', () => {
    const { atServerMs } = playing.timeline
    const pause = { is_playing: false }
    expect(plan({ ...pause, timestamp: atServerMs - 1 })).toEqual([])
    expect(plan({ ...pause, timestamp: atServerMs })).toMatchObject([{ type: 'pause' }])
    // Its clock is wrong.
    expect(plan({ ...pause, timestamp: nowMs - 3_600_000 })).toMatchObject([{ type: 'pause' }])
    const atEnd = { ...playing, timeline: { ...playing.timeline, durationMs: 16_000 } }
    expect(planPlaybackUpdate(pause, 'owner')(atEnd, nowMs)).toEqual([])
    expect(planPlaybackUpdate({ ...pause, force_sync: true }, 'owner')(atEnd, nowMs)).toHaveLength(1)
  })

  it('a seek without a position is invalid', () => {
    expect(() => plan({ is_seek_operation: true })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
    expect(() => toRoomCommand({ command: 'seek' })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })

  it('4.19d, 7.16a a state plays or pauses the room, unless it is a report or of an earlier timeline', () => {
    const pause = { is_playing: false }
    expect(plan({ ...pause, force_sync: true })).toEqual([{ type: 'pause', commandId: undefined }])
    expect(plan({ ...pause, command_id: 'c1' })).toEqual([{ type: 'pause', commandId: 'c1' }])
    expect(plan({ ...pause, force_sync: true, current_position: 50_000, command_id: 'c2' })).toMatchObject([
      { type: 'seek', commandId: 'c2' },
      { type: 'pause', commandId: undefined },
    ])
    const { sequenceNumber } = playing.timeline
    for (const ignored of [
      { is_playing: true },
      { is_position_update: true },
      { sequence_number: sequenceNumber - 1 },
      { track_id: 'another' },
    ])
      expect(plan({ ...pause, ...ignored })).toEqual([])
    const paused = { ...playing, timeline: { ...playing.timeline, isPlaying: false } }
    const play = { is_playing: true }
    expect(planPlaybackUpdate(play, 'owner')(paused, nowMs)).toMatchObject([{ type: 'play' }])
    const cue = { deadlineAtMs: nowMs + 1_000 }
    expect(planPlaybackUpdate(pause, 'owner')({ ...paused, cue }, nowMs)).toEqual([])
  })

  describe('16.305 a position of an earlier timeline', () => {
    const changedAtMs = nowMs - 1_000
    const timeline = { ...playing.timeline, sequenceNumber: 103, positionMs: 60_000, atServerMs: changedAtMs }
    const planAt = (sent: Parameters<typeof plan>[0], atMs = nowMs, room = { ...playing, timeline }) =>
      planPlaybackUpdate({ current_position: 3_896, ...sent }, 'owner')(room, atMs)
    const older = { sequence_number: 102 }
    const report = { ...older, is_position_update: true, is_playing: true }

    it('changes nothing, forced or not, whenever it was stamped', () => {
      for (const timestamp of [changedAtMs - 500, changedAtMs + 500, undefined])
        for (const force_sync of [true, false, undefined])
          expect(planAt({ ...report, timestamp, force_sync })).toEqual([])
      const ahead = { ...playing, timeline: { ...timeline, atServerMs: nowMs + 300 } }
      expect(planAt({ ...report, force_sync: true, timestamp: nowMs }, nowMs, ahead)).toEqual([])
      const state = { ...older, is_playing: true, timestamp: changedAtMs - 1 }
      for (const force_sync of [true, false]) expect(planAt({ ...state, force_sync })).toEqual([])
    })

    it('still corrects the duration', () => {
      expect(planAt({ ...report, duration: 251_000 })).toMatchObject([{ type: 'correct_duration' }])
    })

    it('is none with the number of the timeline, a higher one or none, nor a seek', () => {
      for (const sequence_number of [103, 104, undefined])
        for (const force_sync of [true, false])
          expect(planAt({ ...report, force_sync, sequence_number })).toHaveLength(1)
      expect(planAt({ ...older, manual_seek: true })).toMatchObject([{ type: 'seek', positionMs: 3_896 }])
      const command = { ...older, is_command: true, command: 'seek' } as const
      expect(planAt(command)).toMatchObject([{ type: 'seek', positionMs: 3_896 }])
    })

    it('is none of a client that counts numbers of its own: stamped after the change, or long after it', () => {
      const state = { sequence_number: 1, is_playing: true, timestamp: nowMs }
      expect(planAt({ ...state, force_sync: true })).toMatchObject([{ type: 'seek' }])
      expect(planAt(state)).toMatchObject([{ type: 'report_position' }])
      const laterMs = changedAtMs + limits.syncRequestPlayingMs
      expect(planAt({ ...report, force_sync: true }, laterMs)).toEqual([])
      expect(planAt({ ...report, force_sync: true }, laterMs + 1)).toMatchObject([{ type: 'seek' }])
    })
  })

  it('4.19d a forced state away from the timeline is a seek to the current position of the sender', () => {
    expect(plan({ force_sync: true, current_position: 50_000, timestamp: 1_004_000 })).toMatchObject([
      { type: 'seek', positionMs: 51_000 },
    ])
    expect(plan({ force_sync: true, current_position: 14_500, timestamp: 1_004_000 })).toEqual([
      { type: 'report_position', positionMs: 14_500, atServerMs: 1_004_000, isForced: true },
    ])
  })

  it('4.19d, 9.14 a state more than 2 s off is away from the timeline', () => {
    const planOf = (current_position: number) =>
      plan({ force_sync: true, current_position, timestamp: nowMs })[0]
    for (const offMs of [-2_000, 2_000]) expect(planOf(15_000 + offMs)?.type).toBe('report_position')
    for (const offMs of [-2_001, 2_001]) expect(planOf(15_000 + offMs)?.type).toBe('seek')
  })

  it('9.13 a timestamp counts if it lies within the last 10 s, otherwise the current time does', () => {
    const at = (timestamp: number | undefined) => plan({ current_position: 15_000, timestamp })
    expect(at(nowMs - 10_000)).toMatchObject([{ atServerMs: nowMs - 10_000 }])
    expect(at(nowMs - 10_001)).toMatchObject([{ atServerMs: nowMs }])
    expect(at(nowMs + 1)).toMatchObject([{ atServerMs: nowMs }])
    expect(at(undefined)).toMatchObject([{ atServerMs: nowMs }])
  })

  it("10.12d an older client's state with the sentinel reports no duration, a report of the duration alone does", () => {
    expect(plan({ current_position: 15_000, timestamp: nowMs, duration: 180_000 })).toMatchObject([
      { type: 'report_position' },
    ])
    expect(plan({ duration: 180_000 })).toEqual([{ type: 'correct_duration', durationMs: 180_000 }])
  })

  it('a duration may correct the stored one', () => {
    expect(plan({ current_position: 15_000, duration: 190_000 })).toMatchObject([
      { type: 'report_position' },
      { type: 'correct_duration', durationMs: 190_000 },
    ])
    expect(plan({ duration: 0 })).toEqual([])
  })

  it('a state of another track, and the initial state of a joining owner, are ignored', () => {
    expect(plan({ track_id: 't0', current_position: 1, duration: 5 })).toEqual([])
    expect(plan({ initialJoin: true, force_sync: true, current_position: 0, is_playing: false })).toEqual([])
  })

  it('5.7a only the owner may send one', () => {
    for (const sent of [{ is_command: true, command: 'play' as const }, { current_position: 1 }, {}]) {
      expect(() => plan(sent, 'listener')).toThrow(expect.objectContaining({ code: 'not_owner' }))
    }
  })

  it('5.8c positions are rate limited, and not a command, a seek, a forced state, a duration, Play or Pause', () => {
    const position = { current_position: 1 }
    expect(hasUnforcedPosition({ ...position, is_position_update: true })).toBe(true)
    expect(hasUnforcedPosition({ ...position, is_playing: true })).toBe(true)
    const others = [
      { duration: 1 },
      { ...position, command: 'play' as const },
      { ...position, force_sync: true },
      { ...position, manual_seek: true },
    ]
    for (const other of others) expect(hasUnforcedPosition(other)).toBe(false)
    expect(withoutPosition({ ...position, is_playing: true })).toEqual({ is_playing: true })
    expect(withoutPosition({ ...position, duration: 1 })).toEqual({ duration: 1 })
    expect(withoutPosition({ ...position, is_playing: true, is_position_update: true })).toBeNull()
    expect(withoutPosition(position)).toBeNull()
    for (const unknown of [0, 180_000])
      expect(withoutPosition({ ...position, is_playing: true, duration: unknown })?.duration).toBeUndefined()
  })
})

describe('planTrackChange', () => {
  const sent = { roomId: 'room', trackId: 't3', isPlaying: false }

  it('7.18 removes the track from the queue, and plays unless told otherwise', () => {
    const queued = { track: { ...track, id: 't2' }, mayAdd: true }
    expect(planTrackChange({ roomId: 'room', trackId: 't2' }, queued)(playing, nowMs)).toMatchObject([
      { type: 'select_track', entryId: 'e2', isPlaying: true },
    ])
    const other = { track: { ...track, id: 't3' }, mayAdd: true }
    expect(planTrackChange(sent, other)(playing, nowMs)).toMatchObject([
      { type: 'select_track', entryId: null, isPlaying: false },
    ])
  })

  it('16.38b who may not add a track chooses it where the room has it', () => {
    const plan = (id: string) => planTrackChange(sent, { track: { ...track, id }, mayAdd: false })
    for (const id of ['t2', track.id]) expect(plan(id)(playing, nowMs)).toHaveLength(1)
    expect(() => plan('t3')(playing, nowMs)).toThrow(expect.objectContaining({ code: 'library_closed' }))
  })
})
