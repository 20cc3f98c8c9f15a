import { createStore } from 'zustand/vanilla'
import type { RoomRuntime } from './room-runtime.ts'

/**
 * The room that the page is in, or null. It lasts until it is left, whatever page or component is drawn. Without the
 * engine's code, so that every page can show and end a visit.
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

/** Leaves the room. */
export function leaveRoom(): void {
  const runtime = roomVisit.getState()
  if (runtime === null) return
  roomVisit.setState(null, true)
  runtime.leave()
}

/** Gives up a visit whose room was never entered, such as one that asks for a password; not the one that followed it. */
export function leaveUnlessJoined(visit: RoomRuntime): void {
  if (roomVisit.getState() === visit && visit.store.getState().phase !== 'joined') leaveRoom()
}
