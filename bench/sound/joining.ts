import type { Arrival, Session } from './session.ts'
import { windowMs, type Person, type SessionWindow } from '@earshot/e2e/sound/skew/session-windows'

/** A joined browser within this skew counts as in sync. */
export const inSyncMs = 5
/** A join that takes longer has failed. */
export const joinLimitMs = 6_000

/** How an arrival went. Times are ms from opening the room; null where it never came to it. */
export interface Join {
  person: Person
  /** Until when its silence is excused, ms from the start of the recording. */
  fromMs: number
  toMs: number
  soundsAfterMs: number | null
  /** The end of the first window from which on it stayed in sync. */
  inSyncAfterMs: number | null
}

/** Finds how each arrival went, from what was recorded. */
export function findJoins({ arrivals, windows }: Session): Join[] {
  return arrivals.map((arrival) => findJoin(arrival, windows))
}

function findJoin({ person, leftMs, openedMs }: Arrival, windows: SessionWindow[]): Join {
  // The page before may sound for some more windows.
  const left = windows.findIndex(({ fromMs, sounding }) => fromMs >= leftMs && !sounding[person])
  const sounds = windows.findIndex(
    ({ fromMs, sounding }, index) =>
      left >= 0 && index > left && fromMs + windowMs > openedMs && sounding[person],
  )
  const soundsAtMs = windows[sounds]?.fromMs ?? null
  const judged = windows.filter(
    ({ fromMs }) => fromMs >= (soundsAtMs ?? Infinity) && fromMs < openedMs + joinLimitMs,
  )
  const inSyncAtMs = inSyncSince(judged, person)
  return {
    person,
    fromMs: leftMs,
    toMs: Math.min(soundsAtMs ?? (left < 0 ? leftMs : Infinity), openedMs + joinLimitMs),
    soundsAfterMs: soundsAtMs === null ? null : Math.max(0, soundsAtMs - openedMs),
    inSyncAfterMs: inSyncAtMs === null ? null : inSyncAtMs - openedMs,
  }
}

/**
 * Returns the end of the first window of the last uninterrupted run in which somebody is in sync, ms; null where they are
 * not at the end. A window in which one of the others was torn is judged by another of them.
 */
function inSyncSince(windows: SessionWindow[], person: Person): number | null {
  const comparable = windows.filter(({ sounding }) =>
    sounding.some((sounds, other) => sounds && other !== person),
  )
  const isInSync = ({ pairs }: SessionWindow) =>
    pairs.some(
      ({ between, lagMs }) => between.includes(person) && lagMs !== null && Math.abs(lagMs) <= inSyncMs,
    )
  const lastOut = comparable.findLastIndex((window) => !isInSync(window))
  const first = comparable[lastOut + 1]
  return first ? first.fromMs + windowMs : null
}

/** Whether somebody's silence at a time is that of joining. */
export function isJoining(joins: Join[], person: Person, atMs: number): boolean {
  return joins.some((join) => join.person === person && atMs + windowMs > join.fromMs && atMs < join.toMs)
}
