import { limits } from '@earshot/core/limits'
import type { RoomSessionData } from './room-session-data.ts'

/** What is kept of a room in the tab's session, so that a reload shows it at once (4.10b). */
type RoomCopy = Pick<
  RoomSessionData,
  | 'phase'
  | 'room'
  | 'isOwner'
  | 'queue'
  | 'members'
  | 'memberCount'
  | 'messages'
  | 'hasOlderMessages'
  | 'timeline'
  | 'track'
  | 'confirmed'
>

export interface SessionCopy {
  savedAtMs: number
  userId: string
  room: RoomCopy
}

const keyOf = (roomId: string) => `room:${roomId}`

export function saveSessionCopy(roomId: string, data: RoomSessionData, nowMs: number): void {
  if (data.phase !== 'joined') return
  const copy: SessionCopy = { savedAtMs: nowMs, userId: data.userId, room: copyRoom(data) }
  try {
    sessionStorage.setItem(keyOf(roomId), JSON.stringify(copy))
  } catch {
    // Storage is full or forbidden: the reload takes a moment longer.
  }
}

/** The copy of a room that this user was in less than a minute ago, or null. */
export function readSessionCopy(roomId: string, userId: string, nowMs: number): SessionCopy | null {
  const copy = parseCopy(read(keyOf(roomId)))
  if (!copy || copy.userId !== userId) return null
  const ageMs = nowMs - copy.savedAtMs
  return ageMs >= 0 && ageMs < limits.recoveryWindowMs ? copy : null
}

export function dropSessionCopy(roomId: string): void {
  try {
    sessionStorage.removeItem(keyOf(roomId))
  } catch {
    // As above: there is none.
  }
}

function copyRoom(data: RoomSessionData): RoomCopy {
  const { phase, room, isOwner, members, memberCount, messages, hasOlderMessages, confirmed } = data
  const drawn = { timeline: confirmed.timeline, track: confirmed.track, queue: confirmed.queue }
  return { phase, room, isOwner, members, memberCount, messages, hasOlderMessages, confirmed, ...drawn }
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function parseCopy(text: string | null): SessionCopy | null {
  if (text === null) return null
  try {
    return JSON.parse(text) as SessionCopy
  } catch {
    return null
  }
}
