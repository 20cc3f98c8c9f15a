import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIncomingEvents } from '../../realtime/server-socket.ts'
import { applySnapshot, listenToRoom } from './server-updates.ts'
import { createRoomStore } from './room-state.ts'
import { emptyRoom, makeOwnersMessage, makeQueue, makeSnapshot } from '../testing/room-fixtures.ts'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  warn.mockReset().mockImplementation(() => undefined)
  // In development a malformed event is dropped before it reaches a listener.
  vi.stubEnv('DEV', false)
})
afterEach(() => vi.unstubAllEnvs())

function enterRoom() {
  const events = createIncomingEvents()
  const store = createRoomStore(applySnapshot(emptyRoom(), makeSnapshot()))
  const stop = listenToRoom('room', events, store)
  return { events, store, stop }
}

const command = { roomId: 'room', position: 9_000, timestamp: 5_000, sequence_number: 200, sender_id: null }

it('4.19e a direct command alone moves the room, an unknown one only causes a warning', async () => {
  const { events, store } = enterRoom()
  const before = store.getState()
  for (const name of ['rewind', '', 'toString', 'PLAY']) {
    const payload = { ...command, command: name }
    await events.dispatch('direct_command', payload)
    expect(store.getState()).toBe(before)
    expect(warn).toHaveBeenLastCalledWith('Ignored an unknown direct_command', payload)
  }
  warn.mockClear()
  await events.dispatch('direct_command', { ...command, command: 'play' })
  expect(store.getState().confirmed.timeline).toMatchObject({
    isPlaying: true,
    positionMs: 9_000,
    sequenceNumber: 200,
  })
  expect(warn).not.toHaveBeenCalled()
})

it('7.23a ignores events of other rooms, and all events after it was stopped', async () => {
  const { events, store, stop } = enterRoom()
  const before = store.getState()
  await events.dispatch('direct_command', { ...command, roomId: 'other', command: 'play' })
  await events.dispatch('queueUpdate', { roomId: 'other', queue: [], version: 9 })
  expect(store.getState()).toBe(before)
  await events.dispatch('queueUpdate', { roomId: 'room', queue: makeQueue('c'), version: 2 })
  expect(store.getState().confirmed.queue.map(({ id }) => id)).toEqual(['c'])
  stop()
  await events.dispatch('queueUpdate', { roomId: 'room', queue: [], version: 3 })
  expect(store.getState().confirmed.queue).toHaveLength(1)
})

it.each([
  ['17.459 the messages of a deleted account are those of nobody', 'gus', 'Unknown'],
  ['17.490 the messages of a guest are those of the account, without the mark', 'account', 'Gus'],
])('%s', async (_rule, id, username) => {
  const { events, store } = enterRoom()
  const [kept, message] = [makeOwnersMessage('m-1'), makeOwnersMessage('m-2')]
  const ofGuest = { ...message, user_id: 'gus', username: 'Gus', is_guest: true }
  store.setState({ messages: [kept, ofGuest] })
  const author = { user_id: id, username, avatar_url: null }
  await events.dispatch('authorChanged', { roomId: 'room', userId: 'gus', author })
  expect(store.getState().messages).toEqual([kept, { ...ofGuest, ...author, is_guest: false }])
  expect(store.getState().messages[0]).toBe(kept)
})
