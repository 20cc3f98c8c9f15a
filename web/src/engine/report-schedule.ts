import { limits } from '@earshot/core/limits'

/** What a room's page tells and asks the server by itself, and when it did so last. Client instants in ms. */
export interface ChoreTimes {
  joinedAtMs: number
  positionAtMs: number
  forcedPositionAtMs: number
  syncRequestAtMs: number
  syncReportAtMs: number
  hasAskedInitially: boolean
}

export interface ChoreFacts {
  nowMs: number
  isOwner: boolean
  /** The room plays. */
  isPlaying: boolean
  isHidden: boolean
  /** This player sounds, and close enough to the room that its word on where it is means anything. */
  isSteady: boolean
  /** When this page last told the room how to play, by a command or a report; null where it never did. */
  broadcastAtMs: number | null
}

export type Chore =
  'report_position' | 'force_position' | 'request_sync' | 'request_initial_sync' | 'report_sync'

export function startChores(nowMs: number): ChoreTimes {
  return {
    joinedAtMs: nowMs,
    positionAtMs: nowMs,
    forcedPositionAtMs: nowMs,
    syncRequestAtMs: nowMs,
    // The first word on how well it goes is of use soon.
    syncReportAtMs: nowMs - limits.syncReportMs,
    hasAskedInitially: false,
  }
}

/** The chores that are due now, with the times after they are done. */
export function takeDueChores(times: ChoreTimes, facts: ChoreFacts): { due: Chore[]; times: ChoreTimes } {
  const due = [positionChore(times, facts), requestChore(times, facts), reportChore(times, facts)].filter(
    (chore) => chore !== null,
  )
  return { due, times: due.reduce((before, chore) => afterChore(before, chore, facts.nowMs), times) }
}

/**
 * 4.20a: at most every 5 s, every 10 s forced; and only a player that follows well speaks for the room. Unforced, it
 * keeps its distance to whatever the page said last (5.8a).
 */
function positionChore(times: ChoreTimes, facts: ChoreFacts): Chore | null {
  const { nowMs, isOwner, isPlaying, isSteady, broadcastAtMs } = facts
  if (!isOwner || !isPlaying || !isSteady) return null
  if (nowMs - times.positionAtMs < limits.ownerPositionReportMs) return null
  if (nowMs - times.forcedPositionAtMs >= limits.forcedSyncIntervalMs) return 'force_position'
  const isTooSoon = broadcastAtMs !== null && nowMs - broadcastAtMs < limits.broadcastThrottleMs
  return isTooSoon ? null : 'report_position'
}

/** 4.20c, and 4.7d: those who only listen ask once more soon after they came. */
function requestChore(times: ChoreTimes, { nowMs, isOwner, isPlaying, isHidden }: ChoreFacts): Chore | null {
  const isInitialDue = !isOwner && !times.hasAskedInitially
  if (isInitialDue && nowMs - times.joinedAtMs >= limits.initialSyncRequestMs) return 'request_initial_sync'
  const everyMs = isPlaying && !isHidden ? limits.syncRequestPlayingMs : limits.syncRequestIdleMs
  return nowMs - times.syncRequestAtMs >= everyMs ? 'request_sync' : null
}

function reportChore(times: ChoreTimes, { nowMs }: ChoreFacts): Chore | null {
  return nowMs - times.syncReportAtMs >= limits.syncReportMs ? 'report_sync' : null
}

function afterChore(times: ChoreTimes, chore: Chore, nowMs: number): ChoreTimes {
  switch (chore) {
    case 'report_position':
      return { ...times, positionAtMs: nowMs }
    case 'force_position':
      return { ...times, positionAtMs: nowMs, forcedPositionAtMs: nowMs }
    case 'request_sync':
      return { ...times, syncRequestAtMs: nowMs }
    case 'request_initial_sync':
      return { ...times, syncRequestAtMs: nowMs, hasAskedInitially: true }
    case 'report_sync':
      return { ...times, syncReportAtMs: nowMs }
  }
}
