import { describe, expect, it } from 'vitest'
import { makeClock } from '../testing/follow-inputs.ts'
import { initialClock } from './clock/clock-offset.ts'
import {
  type Timeline,
  emptyTimeline,
  endsAt,
  estimatePosition,
  fromPlaybackState,
  positionAt,
  restamp,
  roomPositionAt,
  supersedes,
  toPlaybackState,
} from './timeline.ts'

const playing: Timeline = {
  trackId: 'a',
  source: 'library',
  isPlaying: true,
  positionMs: 5_000,
  atServerMs: 1_000_000,
  durationMs: 60_000,
  sequenceNumber: 101,
  isCueing: false,
}

describe('the position of a room', () => {
  it('17.171 does not depend on when it was stamped, once it plays', () => {
    const later = restamp(playing, 1_012_345)
    expect(later).toEqual({ ...playing, positionMs: 17_345, atServerMs: 1_012_345 })
    expect(restamp(playing, 999_000)).toBe(playing)
    expect(restamp({ ...playing, isPlaying: false }, 1_012_345).positionMs).toBe(5_000)
    expect(restamp(playing, 9_000_000).positionMs).toBe(60_000)
  })

  it('4.19b follows from the timeline: it advances while playing, from the stamped instant on', () => {
    expect(positionAt(playing, 1_000_000)).toBe(5_000)
    expect(positionAt(playing, 1_012_345)).toBe(17_345)
    expect(positionAt({ ...playing, isPlaying: false }, 1_012_345)).toBe(5_000)
  })

  it('3.8 does not advance before a scheduled start', () => {
    expect(positionAt(playing, 999_000)).toBe(5_000)
  })

  it('ends at a known duration', () => {
    expect(positionAt(playing, 9_000_000)).toBe(60_000)
    expect(positionAt({ ...playing, durationMs: null }, 9_000_000)).toBe(8_005_000)
    expect(endsAt(playing)).toBe(1_055_000)
    expect(endsAt({ ...playing, positionMs: 70_000 })).toBe(1_000_000)
    expect(endsAt({ ...playing, isPlaying: false })).toBeNull()
    expect(endsAt({ ...playing, durationMs: null })).toBeNull()
  })
})

describe('timelines on the wire', () => {
  it('10.12a have the duration 0 where it is unknown', () => {
    const unknown = { ...playing, durationMs: null }
    expect(toPlaybackState(unknown, null).duration).toBe(0)
    expect(fromPlaybackState(toPlaybackState(unknown, null)).durationMs).toBeNull()
    const exact = { ...playing, durationMs: 180_000 }
    expect(fromPlaybackState(toPlaybackState(exact, null)).durationMs).toBe(180_000)
  })

  it('4.19d an older one is dropped, in any order of arrival', () => {
    expect(supersedes({ ...playing, sequenceNumber: 100 }, playing)).toBe(false)
    expect(supersedes({ ...playing, sequenceNumber: 102 }, playing)).toBe(true)
    expect(supersedes(playing, playing)).toBe(true)
  })

  it('3.8 survive the conversion to the wire form and back', () => {
    for (const timeline of [playing, emptyTimeline, { ...playing, isPlaying: false, isCueing: true }]) {
      expect(fromPlaybackState(toPlaybackState(timeline, 'someone'))).toEqual(timeline)
    }
    expect(toPlaybackState(playing, 'someone')).toEqual({
      is_playing: true,
      current_position: 5_000,
      timestamp: 1_000_000,
      track_id: 'a',
      sequence_number: 101,
      sender_id: 'someone',
      duration: 60_000,
      source: 'library',
      cueing: false,
    })
  })

  it('3.8 may omit whether the track is cued', () => {
    const { cueing: _cueing, ...plain } = toPlaybackState(playing, null)
    expect(fromPlaybackState(plain).isCueing).toBe(false)
  })
})

describe('the position from an unsynchronised timestamp', () => {
  it('4.19b is where a playing track is loaded before the first clock sample', () => {
    const timeline = { ...playing, positionMs: 30_000, atServerMs: 1_000_000 }
    expect(roomPositionAt(timeline, initialClock, 1_002_500)).toBe(32_600)
    expect(roomPositionAt({ ...timeline, isPlaying: false }, initialClock, 1_002_500)).toBe(30_000)
    expect(roomPositionAt(timeline, makeClock(-2_000, 1_002_500), 1_002_500)).toBeCloseTo(30_500, 6)
  })

  it('4.19b, 9.13 adds the elapsed time and 100 ms, if 0 to 10 s have passed', () => {
    expect(estimatePosition(30_000, 1_000_000, 1_002_500)).toBe(32_600)
    expect(estimatePosition(30_000, 1_000_000, 1_000_000)).toBe(30_100)
    expect(estimatePosition(30_000, 1_000_000, 1_010_000)).toBe(40_100)
  })

  it('4.19b, 9.13 otherwise keeps the position as sent', () => {
    expect(estimatePosition(30_000, 1_000_000, 999_999)).toBe(30_000)
    expect(estimatePosition(30_000, 1_000_000, 1_010_001)).toBe(30_000)
  })
})
