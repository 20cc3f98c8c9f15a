import { describe, expect, it } from 'vitest'
import { addCommand, contextAt, emptyRoom, runCommands, startMs } from '../testing/rooms.ts'
import { reduceRoom } from './reduce-room.ts'
import { dueAt } from './due.ts'
import type { RoomState } from './room-state.ts'

const playing = runCommands(emptyRoom, [addCommand('a'), { type: 'play' }])
const startedMs = 1_120
const report = (room: RoomState, atMs: number, positionMs: number, isForced = false) =>
  reduceRoom(
    room,
    { type: 'report_position', positionMs, atServerMs: startMs + atMs, isForced },
    contextAt(atMs + 40),
  )

describe("a report of the owner's position", () => {
  it('5.8b, 9.14 within 2 s of the timeline changes nothing', () => {
    for (const offMs of [-2_000, 0, 2_000]) {
      const outcome = report(playing, 21_120, 20_000 + offMs)
      expect(outcome).toEqual({ state: playing, changes: [] })
    }
    for (const offMs of [-2_001, 2_001]) {
      expect(report(playing, 21_120, 20_000 + offMs).changes).toEqual(['playback'])
    }
  })

  it('5.8b beyond 2 s moves the room to the reported position', () => {
    const { state, changes } = report(playing, 21_120, 30_000)
    expect(state.timeline).toMatchObject({
      isPlaying: true,
      positionMs: 30_000,
      atServerMs: startMs + 21_120,
      sequenceNumber: playing.timeline.sequenceNumber + 1,
    })
    expect(changes).toEqual(['playback'])
  })

  it('4.19d re-anchors the room by less if forced', () => {
    expect(report(playing, 21_120, 19_000, true).state.timeline.positionMs).toBe(19_000)
    expect(report(playing, 21_120, 20_250, true).changes).toEqual([])
    expect(report(playing, 21_120, 20_251, true).changes).toEqual(['playback'])
  })

  it('4.20b in steady playback changes nothing, forced or not', () => {
    for (let atMs = startedMs; atMs < startedMs + 60_000; atMs += 5_000) {
      expect(report(playing, atMs, atMs - startedMs + 12, true).changes).toEqual([])
    }
  })

  it('is ignored if it is older than the latest change or the start', () => {
    const sought = runCommands(playing, [{ type: 'seek', positionMs: 90_000 }], 30_000)
    expect(report(sought, 29_990, 28_870).changes).toEqual([])
    expect(report(playing, startedMs - 50, 100_000).changes).toEqual([])
  })

  it('with a time in the future counts from now', () => {
    const { state } = reduceRoom(
      playing,
      { type: 'report_position', positionMs: 60_000, atServerMs: startMs + 900_000, isForced: false },
      contextAt(21_120),
    )
    expect(state.timeline).toMatchObject({ positionMs: 60_000, atServerMs: startMs + 21_120 })
  })

  it('moves a paused room, but none without a track', () => {
    const paused = runCommands(playing, [{ type: 'pause' }], 11_120)
    expect(report(paused, 20_000, 50_000).state.timeline).toMatchObject({
      isPlaying: false,
      positionMs: 50_000,
    })
    expect(report(emptyRoom, 20_000, 50_000).changes).toEqual([])
  })
})

describe("a report of the track's duration", () => {
  const correct = (room: RoomState, durationMs: number) =>
    reduceRoom(room, { type: 'correct_duration', durationMs }, contextAt(5_000))

  it('4.21a, 9.15 is applied if it differs by more than 5 s', () => {
    expect(correct(playing, 205_000).changes).toEqual([])
    const { state, changes } = correct(playing, 205_001)
    expect(state.timeline.durationMs).toBe(205_001)
    expect(state.track?.duration).toBe(205_001)
    expect(state.timeline.sequenceNumber).toBe(playing.timeline.sequenceNumber + 1)
    expect(changes.toSorted()).toEqual(['playback', 'track'])
  })

  it('4.21a, 9.15 is applied if the duration was unknown', () => {
    const video = runCommands(emptyRoom, [addCommand('v', 180_000, 'youtube')])
    expect(video.timeline.durationMs).toBeNull()
    expect(correct(video, 181_000).state.timeline.durationMs).toBe(181_000)
  })

  it('16.276 is applied if the room’s was unknown, though the track’s has become known elsewhere', () => {
    const video = runCommands(emptyRoom, [addCommand('v', 180_000, 'youtube'), { type: 'play' }])
    const elsewhere = { ...video, track: video.track && { ...video.track, duration: 215_000 } }
    expect(dueAt(elsewhere)).toBeNull()
    const { state, changes } = correct(elsewhere, 215_000)
    expect(dueAt(state)).toBe(state.timeline.atServerMs + 215_000)
    expect(changes).toContain('playback')
  })

  it('is ignored if it is not a valid duration', () => {
    for (const durationMs of [0, -1, Number.NaN, Infinity]) {
      expect(correct(playing, durationMs).changes).toEqual([])
    }
    expect(correct(emptyRoom, 205_001).changes).toEqual([])
  })

  it('moves a paused position back into the track', () => {
    const late = runCommands(playing, [{ type: 'pause' }, { type: 'seek', positionMs: 199_000 }], 9_000)
    expect(correct(late, 100_000).state.timeline.positionMs).toBe(100_000)
  })
})
