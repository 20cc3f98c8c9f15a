import { beforeEach, describe, expect, it } from 'vitest'
import { applyPlayback, applySnapshot } from './server-updates.ts'
import { dropRecoveryCopy, readRecoveryCopy, saveRecoveryCopy } from './recovery-copy.ts'
import { emptyRoom, makeSnapshot, makeState, ownerId } from '../testing/room-fixtures.ts'
import { addPending } from './room-state.ts'

const joined = { ...applySnapshot(emptyRoom(), makeSnapshot()), phase: 'joined' as const }

beforeEach(() => sessionStorage.clear())

describe('the recovery copy of a room', () => {
  it('4.10b brings the room back for 60 s', () => {
    saveRecoveryCopy('room', joined, 1_000)
    expect(readRecoveryCopy('room', ownerId, 60_999)).toMatchObject({
      savedAtMs: 1_000,
      room: { phase: 'joined', room: joined.room, confirmed: joined.confirmed },
    })
    expect(readRecoveryCopy('room', ownerId, 61_000)).toBeNull()
  })

  it('is for the same room and user only', () => {
    saveRecoveryCopy('room', joined, 1_000)
    expect(readRecoveryCopy('other', ownerId, 1_001)).toBeNull()
    expect(readRecoveryCopy('room', 'somebody', 1_001)).toBeNull()
  })

  it('holds the confirmed room, without pending commands', () => {
    const playing = applyPlayback(joined, makeState({ sequenceNumber: 200, isPlaying: true }))
    const pending = { id: 'next', command: 'next', atServerMs: 0 } as const
    saveRecoveryCopy('room', addPending(playing, pending), 1_000)
    const copy = readRecoveryCopy('room', ownerId, 1_001)
    expect(copy?.room.confirmed.track?.id).toBe('a')
    expect(copy?.room).not.toHaveProperty('pending')
    expect(copy?.room).not.toHaveProperty('connection')
  })

  it('4.9b is gone when the room is left on purpose', () => {
    saveRecoveryCopy('room', joined, 1_000)
    dropRecoveryCopy('room')
    expect(readRecoveryCopy('room', ownerId, 1_001)).toBeNull()
  })

  it('is not made of a room that was never joined', () => {
    saveRecoveryCopy('room', emptyRoom(), 1_000)
    expect(readRecoveryCopy('room', ownerId, 1_001)).toBeNull()
  })

  it('is ignored if it is malformed', () => {
    sessionStorage.setItem('room:v1:room', '{')
    expect(readRecoveryCopy('room', ownerId, 1_001)).toBeNull()
  })
})
