import { readStored, type StorageKey, writeStored } from '../storage.ts'

/** Without the engine's code, so that every page can tell whether it needs that. */

const key: StorageKey = 'interruptedVisit:v1'

/** Returns the room that an earlier page of this tab was in when it was left, such as by a reload; null without one. */
export const readInterruptedVisit = (): string | null => readStored('tab', key)

/** Stores that room for the next page of this tab; null forgets it. */
export function writeInterruptedVisit(roomId: string | null): void {
  writeStored('tab', key, roomId)
}
