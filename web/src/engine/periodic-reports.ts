import { limits } from '@earshot/core/limits'
import { isDurationCorrection } from '@earshot/core/sync/duration'
import { requestSync, type RoomParts } from './room-actions.ts'
import type { FollowReport } from './playback/player-loop.ts'
import {
  isOwnedByViewer,
  isSubstituted,
  isViewerLeading,
  mayViewerControl,
  update,
} from './state/room-state.ts'
import { applyDuration } from './state/server-updates.ts'
import { positionAt } from '@earshot/core/sync/timeline'
import { wallNow } from '../wall-clock.ts'

export type Report =
  | 'report_position'
  | 'force_position'
  | 'request_sync'
  | 'request_initial_sync'
  | 'report_sync'

/** When each report was last sent, on the client's clock in ms. */
interface ReportTimes {
  joinedAtMs: number
  positionAtMs: number
  forcedPositionAtMs: number
  syncRequestAtMs: number
  syncReportAtMs: number
  /** As of the last sync report. */
  wasLoading: boolean
  hasRequestedInitialSync: boolean
}

export interface ReportConditions {
  nowMs: number
  isOwner: boolean
  /** The room follows this page's position reports. */
  isLeading: boolean
  /** The room plays. */
  isPlaying: boolean
  isCueing: boolean
  isHidden: boolean
  /** The current track is not loaded here yet, or the server's clock not known. */
  isLoading: boolean
  /** The sound has just been started: how well it is in sync is not known yet. */
  isStarting: boolean
  /** This player is audible, and close enough to the room to report its position. */
  isSteady: boolean
  /** When this page last sent a command or a position to the room; null if never. */
  lastSentAtMs: number | null
}

/** A player that loads by fits and starts does not report each of them. */
const loadingReportMs = 250

export function initialReportTimes(nowMs: number): ReportTimes {
  return {
    joinedAtMs: nowMs,
    positionAtMs: nowMs,
    forcedPositionAtMs: nowMs,
    syncRequestAtMs: nowMs,
    // The first sync report is due at once.
    syncReportAtMs: nowMs - limits.syncReportMs,
    wasLoading: false,
    hasRequestedInitialSync: false,
  }
}

/** Returns the reports that are due now, and the times after they are sent. */
export function takeDueReports(
  times: ReportTimes,
  conditions: ReportConditions,
): { due: Report[]; times: ReportTimes } {
  const due = [
    duePosition(times, conditions),
    dueSyncRequest(times, conditions),
    dueSyncReport(times, conditions),
  ].filter((report) => report !== null)
  return { due, times: due.reduce((before, report) => afterReport(before, report, conditions), times) }
}

/** Every 5 s, forced every 10 s (4.20a). An unforced one waits 500 ms after the last command or report (5.8a). */
function duePosition(times: ReportTimes, conditions: ReportConditions): Report | null {
  const { nowMs, isLeading, isPlaying, isSteady, lastSentAtMs } = conditions
  if (!isLeading || !isPlaying || !isSteady) return null
  if (nowMs - times.positionAtMs < limits.ownerPositionReportMs) return null
  if (nowMs - times.forcedPositionAtMs >= limits.forcedSyncIntervalMs) return 'force_position'
  const isTooSoon = lastSentAtMs !== null && nowMs - lastSentAtMs < limits.broadcastThrottleMs
  return isTooSoon ? null : 'report_position'
}

/** Every 30 or 45 s (4.20c); listeners request once more soon after joining (4.7d). */
function dueSyncRequest(
  times: ReportTimes,
  { nowMs, isOwner, isPlaying, isHidden }: ReportConditions,
): Report | null {
  const isInitialDue = !isOwner && !times.hasRequestedInitialSync
  if (isInitialDue && nowMs - times.joinedAtMs >= limits.initialSyncRequestMs) return 'request_initial_sync'
  const everyMs = isPlaying && !isHidden ? limits.syncRequestPlayingMs : limits.syncRequestIdleMs
  return nowMs - times.syncRequestAtMs >= everyMs ? 'request_sync' : null
}

/**
 * Every 5 s, and at once where this listener begins to load in a paused room, and where that is over (17.457). A cue has
 * reports of its own.
 */
function dueSyncReport(
  times: ReportTimes,
  { nowMs, isPlaying, isCueing, isLoading, isStarting }: ReportConditions,
): Report | null {
  const elapsedMs = nowMs - times.syncReportAtMs
  const begins = isLoading && !times.wasLoading && !isPlaying
  const isOver = !isLoading && times.wasLoading && !isStarting
  const hasChanged = begins || isOver
  const isDue = hasChanged && !isCueing && elapsedMs >= loadingReportMs
  return isDue || elapsedMs >= limits.syncReportMs ? 'report_sync' : null
}

function afterReport(
  times: ReportTimes,
  report: Report,
  { nowMs, isLoading }: Pick<ReportConditions, 'nowMs' | 'isLoading'>,
): ReportTimes {
  switch (report) {
    case 'report_position':
      return { ...times, positionAtMs: nowMs }
    case 'force_position':
      return { ...times, positionAtMs: nowMs, forcedPositionAtMs: nowMs }
    case 'request_sync':
      return { ...times, syncRequestAtMs: nowMs }
    case 'request_initial_sync':
      return { ...times, syncRequestAtMs: nowMs, hasRequestedInitialSync: true }
    case 'report_sync':
      return { ...times, syncReportAtMs: nowMs, wasLoading: isLoading }
  }
}

/** Sends a room's periodic reports and requests. */
export interface PeriodicReports {
  /** Sends the reports that are due. Called at each turn of the player. */
  onTurn(report: FollowReport): void
  /** Stores a track's measured duration. A member with the controls also reports it if the room's was wrong (4.21a). */
  onDuration(trackId: string, durationMs: number): void
  /** Restarts the intervals after joining or rejoining. */
  restart(): void
}

export function createPeriodicReports(room: RoomParts, onRefused: (error: unknown) => void): PeriodicReports {
  let times = initialReportTimes(wallNow())
  return {
    restart() {
      times = initialReportTimes(wallNow())
    },
    onDuration(trackId, durationMs) {
      const state = room.store.getState()
      const { track, timeline } = state.confirmed
      if (track?.id !== trackId || !isDurationCorrection(timeline.durationMs, durationMs)) return
      update(room.store, (before) => applyDuration(before, durationMs))
      if (mayViewerControl(state)) reportDuration(room, trackId, durationMs).catch(onRefused)
    },
    onTurn(report) {
      const state = room.store.getState()
      if (state.phase !== 'joined' || !room.connection.isConnected()) return
      const next = takeDueReports(times, {
        nowMs: wallNow(),
        isOwner: isOwnedByViewer(state),
        isLeading: isViewerLeading(state),
        isPlaying: state.confirmed.timeline.isPlaying,
        isCueing: state.confirmed.timeline.isCueing,
        isHidden: document.hidden,
        isLoading: isLoading(report),
        isStarting: report.cause === 'correcting' && report.errorMs === null,
        // A substitute's position is not the room's, nor that from before a command of this page.
        isSteady: isSteady(report) && !isSubstituted(state) && state.pending.length === 0,
        lastSentAtMs: room.lastSentAtMs,
      })
      times = next.times
      // An unanswered one is sent again at the next interval.
      for (const due of next.due) send(room, due, report).catch(onRefused)
    },
  }
}

const repeat = { afterMs: limits.repeatUnansweredMs }

function send(room: RoomParts, due: Report, report: FollowReport): Promise<unknown> {
  switch (due) {
    case 'report_position':
    case 'force_position':
      return reportPosition(room, report, due === 'force_position')
    case 'request_sync':
    case 'request_initial_sync':
      return requestSync(room, { initialJoin: due === 'request_initial_sync', brief: true })
    case 'report_sync':
      return reportSync(room, report)
  }
}

/** Without the current track, or without the server's clock, nothing can sound yet. */
function isLoading({ cause, errorMs }: FollowReport): boolean {
  return cause === 'buffering' || (cause === 'no_clock' && errorMs === null)
}

/** A player that buffers or has just been moved must not move the whole room. */
function isSteady({ errorMs, sample }: FollowReport): boolean {
  if (errorMs === null || sample?.status !== 'playing') return false
  return Math.abs(errorMs) <= limits.forcedReportAgreementMs
}

async function reportPosition(room: RoomParts, { sample }: FollowReport, isForced: boolean): Promise<void> {
  const { roomId, store, connection, clock } = room
  if (!sample) return
  const { timeline } = store.getState().confirmed
  // The error is a median: a player that has just stalled or begun an advertisement must not move the room.
  const offMs = sample.positionMs - positionAt(timeline, clock.serverTimeOf(sample.atClientMs))
  if (Math.abs(offMs) > limits.forcedReportAgreementMs) return
  room.lastSentAtMs = wallNow()
  const state = {
    is_position_update: true,
    is_playing: timeline.isPlaying,
    current_position: Math.max(0, sample.positionMs),
    timestamp: clock.serverTimeOf(sample.atClientMs),
    track_id: timeline.trackId,
    sequence_number: timeline.sequenceNumber,
    source: timeline.source,
    force_sync: isForced,
  }
  await connection.call('playback_update', { roomId, state }, { repeat })
}

async function reportDuration(
  { roomId, connection }: RoomParts,
  trackId: string,
  durationMs: number,
): Promise<void> {
  const state = { track_id: trackId, duration: Math.round(durationMs), force_sync: true }
  await connection.call('playback_update', { roomId, state }, { repeat })
}

async function reportSync(room: RoomParts, report: FollowReport): Promise<void> {
  const { roomId, connection, clock, store } = room
  const { isUsable, rttMs } = clock.estimate()
  // In a paused room it may be loading, which counts.
  const { isPlaying } = store.getState().confirmed.timeline
  const isHidden = document.hidden && isPlaying && report.cause !== 'in_sync' && report.cause !== 'paused'
  const payload = {
    roomId,
    errorMs: report.errorMs,
    uncertaintyMs: report.uncertaintyMs,
    cause: isHidden ? ('hidden' as const) : report.cause,
    rttMs: isUsable ? Math.min(60_000, rttMs) : null,
    player: report.player,
  }
  await connection.call('sync_report', payload, { isUnanswered: true })
}
