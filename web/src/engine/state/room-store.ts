import { createStore, type StoreApi } from 'zustand/vanilla'
import type { RoomSessionData } from './room-session-data.ts'

/** One store a room. Everything that changes it is a pure function of what it holds. */
export type RoomStore = StoreApi<RoomSessionData>

export const createRoomStore = (initial: RoomSessionData): RoomStore => createStore(() => initial)

/** Applies an update; one that returns the same data tells nobody. */
export function update(store: RoomStore, change: (data: RoomSessionData) => RoomSessionData): void {
  store.setState(change, true)
}
