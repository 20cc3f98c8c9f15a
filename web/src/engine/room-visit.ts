import { createStore } from 'zustand/vanilla'
import type { RoomRuntime } from './room-runtime.ts'

/**
 * The room that the page is in, or null. It belongs to the address, not to what is drawn: no failed component ends the
 * music. Without the engine's code, so that every page can end a visit.
 */
export const roomVisit = createStore<RoomRuntime | null>(() => null)

/**
 * Opens a room as a user, and leaves the one before. Has no effect for the room and user of the current visit. `Runtime`
 * is passed in, because only the room's page loads it.
 */
export function openRoom(
  Runtime: new (roomId: string, userId: string) => RoomRuntime,
  roomId: string,
  userId: string,
): void {
  const before = roomVisit.getState()
  if (before?.roomId === roomId && before.userId === userId) return
  leaveRoom()
  roomVisit.setState(new Runtime(roomId, userId), true)
}

/** Leaves the room, unless its id is `exceptId`. */
export function leaveRoom(exceptId: string | null = null): void {
  const runtime = roomVisit.getState()
  if (runtime === null || runtime.roomId === exceptId) return
  roomVisit.setState(null, true)
  runtime.leave()
}
