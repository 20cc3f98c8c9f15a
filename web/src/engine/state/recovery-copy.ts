import { limits } from '@earshot/core/limits'
import type { RoomState } from './room-state.ts'

/** The part of a room kept in the tab's session storage, so that a reload shows it at once (4.10b). */
type RecoverableRoom = Pick<
  RoomState,
  'phase' | 'room' | 'confirmed' | 'members' | 'unlistedMembers' | 'messages' | 'hasOlderMessages'
>

export interface RecoveryCopy {
  savedAtMs: number
  userId: string
  room: RecoverableRoom
}

const keyOf = (roomId: string) => `room:${roomId}`

export function saveRecoveryCopy(roomId: string, state: RoomState, nowMs: number): void {
  const { userId, phase, room, confirmed, members, unlistedMembers, messages, hasOlderMessages } = state
  if (phase !== 'joined') return
  const kept = { phase, room, confirmed, members, unlistedMembers, messages, hasOlderMessages }
  const copy: RecoveryCopy = { savedAtMs: nowMs, userId, room: kept }
  try {
    sessionStorage.setItem(keyOf(roomId), JSON.stringify(copy))
  } catch {
    // Storage is full or forbidden: the reload takes a moment longer.
  }
}

/** Returns the copy of a room that this user was in less than a minute ago, or null. */
export function readRecoveryCopy(roomId: string, userId: string, nowMs: number): RecoveryCopy | null {
  const copy = parseCopy(read(keyOf(roomId)))
  if (!copy || copy.userId !== userId) return null
  const ageMs = nowMs - copy.savedAtMs
  return ageMs >= 0 && ageMs < limits.recoveryWindowMs ? copy : null
}

export function dropRecoveryCopy(roomId: string): void {
  try {
    sessionStorage.removeItem(keyOf(roomId))
  } catch {
    // Storage is forbidden: there is no copy.
  }
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function parseCopy(text: string | null): RecoveryCopy | null {
  if (text === null) return null
  try {
    return JSON.parse(text) as RecoveryCopy
  } catch {
    return null
  }
}
