import { createStore } from 'zustand/vanilla'
import { readStored, writeStored } from '../storage.ts'

/** Whether this page's session ended without this browser, as on another device. A new object each time. */
export const refusedSession = createStore<{ isRefused: boolean }>(() => ({ isRefused: false }))

const endedHereKey = 'sessionEndedHere:v1'
/** In this time every tab notices that its browser ended the session, ms. */
const endedHereMs = 30_000
// For where storage is forbidden.
let endedHereAtMs = 0

/** Whether a tab of this browser has just signed out or deleted the account. */
export function wasEndedHere(): boolean {
  const atMs = Math.max(endedHereAtMs, Number(readStored('device', endedHereKey)))
  return Math.abs(Date.now() - atMs) <= endedHereMs
}

/** Call before a call that ends the session, so that no tab takes it for ended elsewhere. */
export function noteEndedHere(): void {
  endedHereAtMs = Date.now()
  writeStored('device', endedHereKey, String(endedHereAtMs))
  refusedSession.setState({ isRefused: false })
}

/** Call when there is a session again. */
export function noteSession(): void {
  endedHereAtMs = 0
  writeStored('device', endedHereKey, null)
  refusedSession.setState({ isRefused: false })
}
