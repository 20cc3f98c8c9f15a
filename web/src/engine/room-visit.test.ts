import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { readInterruptedVisit, writeInterruptedVisit } from './interrupted-visit.ts'
import { resumeVisit } from './resume-visit.ts'
import { RoomVisit } from './room-visit.ts'
import { leaveRoom, leaveUnlessJoined, openRoom, currentVisit } from './current-visit.ts'
import { readRecoveryCopy, saveRecoveryCopy } from './state/recovery-copy.ts'
import { applySnapshot } from './state/server-updates.ts'
import {
  emptyRoom,
  makeOwnersMessage,
  makeQueue,
  makeSnapshot,
  makeTimeline,
  makeShortTrack,
  ownerId,
} from './testing/room-fixtures.ts'
import { wallNow } from '../wall-clock.ts'

const joined = { ...applySnapshot(emptyRoom(), makeSnapshot()), phase: 'joined' as const }
const opened: RoomVisit[] = []

function enter(roomId: string): RoomVisit {
  const visit = new RoomVisit(roomId, ownerId)
  opened.push(visit)
  return visit
}

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  for (const visit of opened.splice(0)) visit.leave()
})

it('4.10b begins with the recovery copy of the room, if there is one', () => {
  saveRecoveryCopy('room', joined, wallNow())
  expect(enter('room').store.getState()).toMatchObject({ phase: 'joined', room: { id: 'room' } })
  expect(enter('other').store.getState()).toMatchObject({ phase: 'loading', room: null })
})

it('16.277 a page with a copy of the room takes what the server sends first, however low its numbers are', () => {
  saveRecoveryCopy('room', joined, wallNow())
  const { store } = enter('room')
  expect(joined.confirmed.timeline.sequenceNumber).toBeGreaterThan(0)
  expect(store.getState().confirmed).toMatchObject({ timeline: { sequenceNumber: 0 }, queueVersion: null })
})

it('4.9b drops the recovery copy of a room that is left before the server was asked', async () => {
  saveRecoveryCopy('room', joined, wallNow())
  const visit = enter('room')
  await Promise.resolve()
  visit.leave()
  expect(readRecoveryCopy('room', ownerId, wallNow())).toBeNull()
})

it('12.4a a visit lasts until another room or user, or until the room is left', () => {
  const visit = () => currentVisit.getState()
  onTestFinished(() => leaveRoom())
  saveRecoveryCopy('room', joined, wallNow())
  openRoom(RoomVisit, 'room', ownerId)
  const first = visit()
  // As React's development mode does, and as a component does that is drawn anew.
  openRoom(RoomVisit, 'room', ownerId)
  if (first) leaveUnlessJoined(first)
  expect(visit()).toBe(first)
  expect(readRecoveryCopy('room', ownerId, wallNow())).not.toBeNull()
  openRoom(RoomVisit, 'room', 'guest')
  // The page may notice late that the visit before was elsewhere.
  if (first) leaveUnlessJoined(first)
  expect(visit()).toMatchObject({ roomId: 'room', userId: 'guest' })
  openRoom(RoomVisit, 'other', 'guest')
  expect(visit()).toMatchObject({ roomId: 'other' })
  leaveRoom()
  expect(visit()).toBeNull()
})

it('17.453 the next page of a tab goes on with the visit: once, for the same user, and no longer than a copy counts', () => {
  const visit = () => currentVisit.getState()
  onTestFinished(() => leaveRoom())
  const interrupt = (savedAtMs = wallNow()) => {
    saveRecoveryCopy('room', joined, savedAtMs)
    writeInterruptedVisit('room')
  }
  interrupt()
  resumeVisit('somebody')
  expect([visit(), readInterruptedVisit()]).toEqual([null, null])
  interrupt(wallNow() - 60_000)
  resumeVisit(ownerId)
  expect([visit(), readInterruptedVisit()]).toEqual([null, null])
  interrupt()
  resumeVisit(ownerId)
  expect(visit()).toMatchObject({ roomId: 'room', userId: ownerId })
  expect([visit()?.store.getState().phase, readInterruptedVisit()]).toEqual(['joined', null])
  leaveRoom()
  resumeVisit(ownerId)
  expect(visit()).toBeNull()
})

it('17.453 another room, and leaving, forget the visit that a page before was in', () => {
  onTestFinished(() => leaveRoom())
  writeInterruptedVisit('room')
  openRoom(RoomVisit, 'other', ownerId)
  expect(readInterruptedVisit()).toBeNull()
  writeInterruptedVisit('room')
  leaveRoom()
  expect(readInterruptedVisit()).toBeNull()
})

it('17.306 the page of a room that refuses this user forgets its music and messages, and keeps its name', () => {
  const messages = [makeOwnersMessage('m1')]
  const timeline = makeTimeline({ isPlaying: true })
  const confirmed = { ...joined.confirmed, timeline, track: makeShortTrack('a'), queue: makeQueue('b') }
  saveRecoveryCopy('room', { ...joined, messages, confirmed }, wallNow())
  const { store, membership } = enter('room')
  expect(store.getState().confirmed).toMatchObject({ timeline: { trackId: 'a' }, track: { id: 'a' } })
  membership.onRemoved('banned')
  const { phase, room, ...left } = store.getState()
  expect([phase, room?.name]).toEqual(['not_found', 'Room'])
  expect(left.confirmed).toMatchObject({ timeline: { trackId: null }, track: null, queue: [] })
  expect(left.messages).toEqual([])
  expect([left.activity.lines, room?.currentTrack]).toEqual([[], null])
})

it('refuses commands while there is no connection, and takes their prediction back', async () => {
  saveRecoveryCopy('room', joined, wallNow())
  const { actions, store } = enter('room')
  await expect(actions.play()).rejects.toMatchObject({ code: 'unavailable' })
  expect(store.getState().pending).toEqual([])
})
