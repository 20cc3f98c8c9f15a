import { beforeEach, expect, it } from 'vitest'
import { wallNow } from '../realtime/wall-clock.ts'
import { createRoomSession } from './room-session.ts'
import { applySnapshot } from './state/server-updates.ts'
import { readSessionCopy, saveSessionCopy } from './state/recovery-copy.ts'
import { emptySession, makeSnapshot, ownerId } from './testing/room-fixtures.ts'

const joined = { ...applySnapshot(emptySession(), makeSnapshot()), phase: 'joined' as const }

beforeEach(() => sessionStorage.clear())

it('4.10b begins with the copy of the room, where there is one', () => {
  saveSessionCopy('room', joined, wallNow())
  const { store } = createRoomSession('room', ownerId)
  expect(store.getState()).toMatchObject({ phase: 'joined', room: { id: 'room' } })
  expect(createRoomSession('other', ownerId).store.getState()).toMatchObject({ phase: 'loading', room: null })
})

it('4.9b drops the copy of a room that is left before the server was asked', () => {
  saveSessionCopy('room', joined, wallNow())
  const session = createRoomSession('room', ownerId)
  session.start()
  session.stop()
  expect(readSessionCopy('room', ownerId, wallNow())).toBeNull()
})
