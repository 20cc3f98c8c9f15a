import { createStore } from 'zustand/vanilla'
import { writeInterruptedVisit } from './interrupted-visit.ts'
import type { RoomVisit } from './room-visit.ts'

/**
 * The room that the page is in, or null. It lasts until it is left, whatever page or component is drawn. Without the
 * engine's code, so that every page can show and end a visit.
 */
export const currentVisit = createStore<RoomVisit | null>(() => null)

/**
 * Opens a room as a user, and leaves the one before. Has no effect for the room and user of the current visit. `Visit`
 * is passed in, because only the room's page loads it.
 */
export function openRoom(
  Visit: new (roomId: string, userId: string) => RoomVisit,
  roomId: string,
  userId: string,
): void {
  const before = currentVisit.getState()
  if (before?.roomId === roomId && before.userId === userId) return
  leaveRoom()
  currentVisit.setState(new Visit(roomId, userId), true)
}

/** Leaves the room, or forgets the one that an earlier page of the tab was in. */
export function leaveRoom(): void {
  writeInterruptedVisit(null)
  const visit = currentVisit.getState()
  if (visit === null) return
  currentVisit.setState(null, true)
  visit.leave()
}

/** Gives up a visit whose room was never entered, such as one that asks for a password; not the one that followed it. */
export function leaveUnlessJoined(visit: RoomVisit): void {
  if (currentVisit.getState() === visit && visit.store.getState().phase !== 'joined') leaveRoom()
}
