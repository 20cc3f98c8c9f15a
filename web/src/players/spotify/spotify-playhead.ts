import { mean } from '@earshot/core/statistics'

/** A position that the Web Playback SDK reported, and when, both in ms. */
interface PlayheadReading {
  positionMs: number
  atClientMs: number
  /** Plays, and has loaded what it plays. */
  isRunning: boolean
}

/** Where Spotify's player is, from its readings. Plain data. */
export interface Playhead {
  last: PlayheadReading
  /** Positions at client time 0 of the running readings that agree, latest last. */
  origins: readonly number[]
}

/** Readings further apart do not agree: the sound was interrupted, or has not begun. */
const agreeWithinMs = 80
const originsKept = 4
/** The position advances while the sound still buffers, so one reading alone is not reliable. */
const trustedCount = 2

/** Adds a reading. A jump starts a new series. */
export function addReading(head: Playhead | null, reading: PlayheadReading): Playhead {
  if (!reading.isRunning) return { last: reading, origins: [] }
  const origin = reading.positionMs - reading.atClientMs
  const before = head?.origins ?? []
  const agrees = before.every((known) => Math.abs(known - origin) <= agreeWithinMs)
  return { last: reading, origins: agrees ? [...before, origin].slice(-originsKept) : [origin] }
}

/** Whether consecutive readings agree, so that the position is that of the sound. */
export const isTrusted = (head: Playhead): boolean => head.origins.length >= trustedCount

/** Returns the position at an instant of the client's clock; that of the last reading while it does not run. */
export function playheadAt({ last, origins }: Playhead, clientMs: number): number {
  if (!last.isRunning) return last.positionMs
  return mean(origins) + clientMs
}

/** Returns how far the agreeing readings are apart, ms. */
export const spreadMs = ({ origins }: Playhead): number =>
  origins.length === 0 ? 0 : Math.max(...origins) - Math.min(...origins)
