import { describe, expect, it } from 'vitest'
import { addCommand, contextAt, newRoom, runCommands, server } from '../testing/rooms.ts'
import { reduceRoom } from './reduce-room.ts'
import { diskLookAt, nextDueAt } from './due.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

const byServer = (afterMs: number) => contextAt(afterMs, { actor: server })

/** A room that plays `t1`, and then waits for its disk. */
const playing = runCommands(newRoom, [addCommand('t1'), addCommand('t2'), { type: 'play' }])
const lookAtMs = byServer(15_000).nowMs
const waiting = reduceRoom(playing, { type: 'await_disk', lookAtMs }, byServer(10_000)).state
const { sequenceNumber } = waiting.timeline

const after = (command: RoomCommand, state: RoomState = waiting): RoomState =>
  reduceRoom(state, command, contextAt(12_000)).state

describe('16.323 a room that waits for the disk of its track', () => {
  it('16.323 is paused, and due at the next look', () => {
    expect(waiting.timeline.isPlaying).toBe(false)
    expect([diskLookAt(waiting), nextDueAt(waiting)]).toEqual([lookAtMs, lookAtMs])
  })

  it('16.323 is looked at again later, without a change that anybody hears of', () => {
    const later = lookAtMs + 5_000
    const { state, changes } = reduceRoom(waiting, { type: 'await_disk', lookAtMs: later }, byServer(15_000))
    expect([diskLookAt(state), changes]).toEqual([later, []])
    expect(state.timeline).toEqual(waiting.timeline)
  })

  it('16.323 plays once its disk is back, and waits no more', () => {
    const { state, changes } = reduceRoom(
      waiting,
      { type: 'disk_returned', sequenceNumber },
      byServer(15_000),
    )
    expect(changes).toContain('playback')
    expect(state.timeline.isPlaying).toBe(true)
    expect(diskLookAt(state)).toBeNull()
    const again = reduceRoom(state, { type: 'disk_returned', sequenceNumber }, byServer(16_000))
    expect(again.changes).toEqual([])
  })

  it('16.323 waits no more once somebody commands something, even a pause', () => {
    const commands: RoomCommand[] = [{ type: 'seek', positionMs: 5 }, { type: 'next' }, { type: 'pause' }]
    for (const command of commands) {
      const state = after(command)
      expect(diskLookAt(state)).toBeNull()
      const returned = reduceRoom(state, { type: 'disk_returned', sequenceNumber }, byServer(15_000))
      expect(returned.changes).toEqual([])
    }
  })

  it('16.323 goes on waiting while the queue changes, and when its owner joins', () => {
    for (const command of [addCommand('t3'), { type: 'owner_joined', othersPresent: 0 } as const])
      expect(diskLookAt(after(command))).toBe(lookAtMs)
  })

  it('16.323 starts a track that is added once the room is empty', () => {
    const skip: RoomCommand = { type: 'skip_unavailable', trackId: 't1', unavailableEntryIds: ['entry-t2'] }
    const empty = reduceRoom(waiting, skip, byServer(12_000)).state
    expect(empty.track).toBeNull()
    expect(after(addCommand('t3'), empty).cue).not.toBeNull()
  })

  it('16.323 plays the next track where the file turns out to be gone', () => {
    const skip: RoomCommand = { type: 'skip_unavailable', trackId: 't1', unavailableEntryIds: [] }
    const { track, cue } = reduceRoom(waiting, skip, byServer(12_000)).state
    expect([track?.id, cue !== null]).toEqual(['t2', true])
  })

  it('16.323 is looked at as soon after the clock was set', () => {
    const { state } = reduceRoom(waiting, { type: 'clock_stepped', byMs: -3_600_000 }, byServer(12_000))
    expect(diskLookAt(state)).toBe(lookAtMs - 3_600_000)
  })

  it('16.323 waits only where it played', () => {
    const paused = runCommands(playing, [{ type: 'pause' }], 10_000)
    const { state, changes } = reduceRoom(paused, { type: 'await_disk', lookAtMs }, byServer(11_000))
    expect([diskLookAt(state), changes]).toEqual([null, []])
  })
})
