import { beforeEach, describe, expect, it } from 'vitest'
import { addPending } from './optimistic.ts'
import { applyPlayback, applySnapshot } from './server-updates.ts'
import { dropSessionCopy, readSessionCopy, saveSessionCopy } from './recovery-copy.ts'
import { emptySession, makeSnapshot, makeState, ownerId } from '../testing/room-fixtures.ts'

const joined = { ...applySnapshot(emptySession(), makeSnapshot()), phase: 'joined' as const }

beforeEach(() => sessionStorage.clear())

describe('the session copy of a room', () => {
  it('4.10b brings the room back for 60 s', () => {
    saveSessionCopy('room', joined, 1_000)
    expect(readSessionCopy('room', ownerId, 60_999)).toMatchObject({
      savedAtMs: 1_000,
      room: { phase: 'joined', room: joined.room, queue: joined.queue, timeline: joined.timeline },
    })
    expect(readSessionCopy('room', ownerId, 61_000)).toBeNull()
  })

  it('is for the same room and user only', () => {
    saveSessionCopy('room', joined, 1_000)
    expect(readSessionCopy('other', ownerId, 1_001)).toBeNull()
    expect(readSessionCopy('room', 'somebody', 1_001)).toBeNull()
  })

  it('holds what the server said, without commands that were on their way', () => {
    const playing = applyPlayback(joined, makeState({ sequenceNumber: 200, isPlaying: true }))
    const pending = { id: 'next', command: 'next', basedOn: 200, atServerMs: 0 } as const
    saveSessionCopy('room', addPending(playing, pending), 1_000)
    const copy = readSessionCopy('room', ownerId, 1_001)
    expect(copy?.room.track?.id).toBe('a')
    expect(copy?.room).not.toHaveProperty('pending')
    expect(copy?.room).not.toHaveProperty('connection')
  })

  it('4.9b is gone when the room is left on purpose', () => {
    saveSessionCopy('room', joined, 1_000)
    dropSessionCopy('room')
    expect(readSessionCopy('room', ownerId, 1_001)).toBeNull()
  })

  it('is not made of a room that was never joined', () => {
    saveSessionCopy('room', emptySession(), 1_000)
    expect(readSessionCopy('room', ownerId, 1_001)).toBeNull()
  })

  it('is ignored where it cannot be read', () => {
    sessionStorage.setItem('room:room', '{')
    expect(readSessionCopy('room', ownerId, 1_001)).toBeNull()
  })
})
