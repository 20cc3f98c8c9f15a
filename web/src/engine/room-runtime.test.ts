import { afterEach, beforeEach, expect, it } from 'vitest'
import { RoomRuntime } from './room-runtime.ts'
import { readRecoveryCopy, saveRecoveryCopy } from './state/recovery-copy.ts'
import { applySnapshot } from './state/server-updates.ts'
import { emptyRoom, makeSnapshot, ownerId } from './testing/room-fixtures.ts'
import { wallNow } from '../realtime/server-clock.ts'

const joined = { ...applySnapshot(emptyRoom(), makeSnapshot()), phase: 'joined' as const }
const opened: RoomRuntime[] = []

function openRoom(roomId: string): RoomRuntime {
  const runtime = new RoomRuntime(roomId, ownerId)
  opened.push(runtime)
  return runtime
}

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  for (const runtime of opened.splice(0)) runtime.leave()
})

it('4.10b begins with the recovery copy of the room, if there is one', () => {
  saveRecoveryCopy('room', joined, wallNow())
  expect(openRoom('room').store.getState()).toMatchObject({ phase: 'joined', room: { id: 'room' } })
  expect(openRoom('other').store.getState()).toMatchObject({ phase: 'loading', room: null })
})

it('4.9b drops the recovery copy of a room that is left before the server was asked', async () => {
  saveRecoveryCopy('room', joined, wallNow())
  const runtime = openRoom('room')
  await Promise.resolve()
  runtime.leave()
  expect(readRecoveryCopy('room', ownerId, wallNow())).toBeNull()
})

it('4.10b keeps the recovery copy over the trial mount of React in development', () => {
  saveRecoveryCopy('room', joined, wallNow())
  openRoom('room').leave()
  expect(openRoom('room').store.getState()).toMatchObject({ phase: 'joined', room: { id: 'room' } })
})

it('refuses commands while there is no connection, and takes their prediction back', async () => {
  saveRecoveryCopy('room', joined, wallNow())
  const { actions, store } = openRoom('room')
  await expect(actions.play()).rejects.toMatchObject({ code: 'unavailable' })
  expect(store.getState().pending).toEqual([])
})
