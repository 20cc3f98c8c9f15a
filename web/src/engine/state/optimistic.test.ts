import { positionAt } from '@earshot/core/sync/timeline'
import { describe, expect, it } from 'vitest'
import { addPending, removePending } from './optimistic.ts'
import type { PendingCommand } from './room-session-data.ts'
import { applyPlayback, applyQueue, applySnapshot } from './server-updates.ts'
import { emptySession, makeSnapshot, makeState } from '../testing/room-fixtures.ts'

const joined = applySnapshot(emptySession(), makeSnapshot())
const playing = applyPlayback(
  joined,
  makeState({ sequenceNumber: 200, isPlaying: true, positionMs: 1_000, atServerMs: 10_000 }),
)
const pend = (
  command: { command: 'play' | 'pause' | 'next' | 'previous' },
  basedOn: number,
): PendingCommand => ({
  ...command,
  id: 'command',
  basedOn,
  atServerMs: 15_000,
})

describe('a command on its way', () => {
  it('plays at once for whoever gave it, and for the player not before the server says so', () => {
    const data = addPending(joined, pend({ command: 'play' }, 100))
    expect(data.timeline.isPlaying).toBe(true)
    expect(data.confirmed.timeline.isPlaying).toBe(false)
    expect(positionAt(data.timeline, 15_000)).toBe(0)
  })

  it('pauses where the track is', () => {
    const data = addPending(playing, pend({ command: 'pause' }, 200))
    expect(data.timeline).toMatchObject({ isPlaying: false, positionMs: 6_000 })
  })

  it('seeks to its position', () => {
    const seek = {
      id: 'seek',
      basedOn: 200,
      atServerMs: 15_000,
      command: 'seek',
      positionMs: 42_000,
    } as const
    expect(positionAt(addPending(playing, seek).timeline, 15_000)).toBe(42_000)
  })

  it('goes to the beginning with previous', () => {
    expect(positionAt(addPending(playing, pend({ command: 'previous' }, 200)).timeline, 15_000)).toBe(0)
  })

  it('takes the first entry of the queue with next, cued where the room plays', () => {
    const data = addPending(playing, pend({ command: 'next' }, 200))
    expect(data.track?.id).toBe('b')
    expect(data.timeline).toMatchObject({ trackId: 'b', positionMs: 0, isPlaying: false, isCueing: true })
    expect(data.queue).toMatchObject([{ id: 'c', position: 0 }])
  })

  it('changes nothing with next when nothing is queued', () => {
    const alone = applyQueue(playing, [], 9)
    expect(addPending(alone, pend({ command: 'next' }, 200)).track?.id).toBe('a')
  })

  it('is taken back whole when it fails', () => {
    const refused = removePending(addPending(playing, pend({ command: 'next' }, 200)), 'command')
    expect(refused.track?.id).toBe('a')
    expect(refused.queue).toEqual(playing.queue)
    expect(refused.timeline).toEqual(playing.timeline)
  })

  it('gives way as soon as the server says how the room is', () => {
    const pending = addPending(playing, pend({ command: 'pause' }, 200))
    const told = applyPlayback(
      pending,
      makeState({ sequenceNumber: 300, isPlaying: true, atServerMs: 16_000 }),
    )
    expect(told.timeline).toEqual(told.confirmed.timeline)
  })

  it('goes on top of another one', () => {
    const paused = addPending(playing, { ...pend({ command: 'pause' }, 200), id: 'first' })
    const both = addPending(paused, { ...pend({ command: 'play' }, 200), id: 'second' })
    expect(both.timeline).toMatchObject({ isPlaying: true, positionMs: 6_000 })
    expect(removePending(both, 'first').timeline.isPlaying).toBe(true)
  })
})
