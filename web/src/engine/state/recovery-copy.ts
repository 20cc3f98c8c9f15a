import { limits } from '@earshot/core/limits'
import { restamp } from '@earshot/core/sync/timeline'
import type { ServerClock } from '../../realtime/server-clock.ts'
import { readOutgoing } from '../chat/outbox.ts'
import { readMuted, readNudgesMs, readVolume } from '../device/device-settings.ts'
import { writeInterruptedVisit } from '../interrupted-visit.ts'
import { createRoomStore, initialRoomState, type RoomState, type RoomStore } from './room-state.ts'
import { forgetOrder } from './server-updates.ts'
import { readStoredJson, type StorageKey, writeStoredJson } from '../../storage.ts'
import { wallNow } from '../../wall-clock.ts'

/** The part of a room kept in the tab's session storage, so that a reload shows it at once (4.10b). */
type RecoverableRoom = Pick<
  RoomState,
  | 'phase'
  | 'room'
  | 'confirmed'
  | 'members'
  | 'unlistedMembers'
  | 'messages'
  | 'hasOlderMessages'
  | 'lastReadId'
>

interface RecoveryCopy {
  savedAtMs: number
  userId: string
  room: RecoverableRoom
}

const keyOf = (roomId: string): StorageKey => `room:v2:${roomId}`

/**
 * Keeps a copy of a joined room in this tab, with the latest page of its chat, for a reload to draw at once. With the
 * server's time (0 while it is unknown) its timeline is stamped anew, so that the next page fetches the track where
 * the room is. Returns whether there is one.
 */
export function saveRecoveryCopy(roomId: string, state: RoomState, nowMs: number, serverNowMs = 0): boolean {
  const { userId, phase, room, members, unlistedMembers, lastReadId } = state
  if (phase !== 'joined') return false
  const confirmed = { ...state.confirmed, timeline: restamp(state.confirmed.timeline, serverNowMs) }
  // The latest page is enough, and a long chat would not fit.
  const messages = state.messages.slice(-limits.messagesPageSize)
  const hasOlderMessages = state.hasOlderMessages || messages.length < state.messages.length
  const chat = { messages, hasOlderMessages, lastReadId }
  const kept = { phase, room, confirmed, members, unlistedMembers, ...chat }
  const copy: RecoveryCopy = { savedAtMs: nowMs, userId, room: kept }
  return writeStoredJson('tab', keyOf(roomId), copy)
}

/** Returns the copy of a room that this user was in less than a minute ago, or null. */
export function readRecoveryCopy(roomId: string, userId: string, nowMs: number): RecoveryCopy | null {
  const copy = readStoredJson<RecoveryCopy>('tab', keyOf(roomId))
  if (copy?.userId !== userId) return null
  const ageMs = nowMs - copy.savedAtMs
  return ageMs >= 0 && ageMs < limits.recoveryWindowMs ? copy : null
}

/**
 * Opens the store of a room, with this device's settings, the messages that wait and the recovery copy. `copySavedAtMs`: null
 * without a copy.
 */
export function openRoomStore(
  roomId: string,
  userId: string,
): { store: RoomStore; copySavedAtMs: number | null } {
  const settings = { volume: readVolume(), isMuted: readMuted(), nudgesMs: readNudgesMs() }
  const copy = readRecoveryCopy(roomId, userId, wallNow())
  const outgoing = readOutgoing(userId, roomId)
  const restored = { ...initialRoomState(userId, settings), outgoing, ...copy?.room }
  // The copy's order was that of another connection.
  return { store: createRoomStore(forgetOrder(restored)), copySavedAtMs: copy?.savedAtMs ?? null }
}

/** Saves a copy whenever the page is left, for whichever page of the tab comes next. Returns a function that stops it. */
export function keepRecoveryCopy(
  roomId: string,
  store: RoomStore,
  clock: Pick<ServerClock, 'state' | 'serverNow'>,
): () => void {
  const keep = () => {
    const serverNowMs = clock.state().line ? clock.serverNow() : 0
    if (saveRecoveryCopy(roomId, store.getState(), wallNow(), serverNowMs)) writeInterruptedVisit(roomId)
  }
  window.addEventListener('pagehide', keep)
  return () => window.removeEventListener('pagehide', keep)
}

export const dropRecoveryCopy = (roomId: string): unknown => writeStoredJson('tab', keyOf(roomId), null)
