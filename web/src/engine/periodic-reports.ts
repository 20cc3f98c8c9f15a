import { limits } from '@earshot/core/limits'
import { isDurationCorrection } from '@earshot/core/sync/duration'
import { wallNow } from '../realtime/wall-clock.ts'
import { startChores, takeDueChores, type Chore } from './report-schedule.ts'
import type { RoomLink } from './commands.ts'
import type { FollowReport } from './playback/player-loop.ts'
import { applyDuration, applySnapshot } from './state/server-updates.ts'
import { update } from './state/room-store.ts'

/** What the page tells and asks the server by itself while it is in a room. */
export interface RoomReports {
  /** To be called at each turn of the player. */
  onTurn(report: FollowReport): void
  /** The player knows how long a track is; the owner's tells the room, where that knew less (4.21a). */
  onDuration(trackId: string, durationMs: number): void
  /** The room was joined, or joined again: the intervals begin. */
  restart(): void
}

export function createRoomReports(link: RoomLink, onRefused: (error: unknown) => void): RoomReports {
  let times = startChores(wallNow())

  const run = (chore: Chore, report: FollowReport): Promise<unknown> => {
    switch (chore) {
      case 'report_position':
      case 'force_position':
        return reportPosition(link, report, chore === 'force_position')
      case 'request_sync':
      case 'request_initial_sync':
        return requestSync(link, { initialJoin: chore === 'request_initial_sync' })
      case 'report_sync':
        return reportSync(link, report)
    }
  }

  return {
    restart() {
      times = startChores(wallNow())
    },
    onDuration(trackId, durationMs) {
      const { isOwner, confirmed } = link.store.getState()
      const { track } = confirmed
      if (track?.id !== trackId || !isDurationCorrection(track.duration, durationMs)) return
      update(link.store, (data) => applyDuration(data, durationMs))
      if (isOwner) reportDuration(link, trackId, durationMs).catch(onRefused)
    },
    onTurn(report) {
      const { phase, isOwner, confirmed } = link.store.getState()
      if (phase !== 'joined' || !link.connection.isConnected()) return
      const next = takeDueChores(times, {
        nowMs: wallNow(),
        isOwner,
        isPlaying: confirmed.timeline.isPlaying,
        isHidden: document.hidden,
        isSteady: isSteady(report),
        broadcastAtMs: link.broadcastAtMs,
      })
      times = next.times
      // What is not answered comes again with the next interval.
      for (const chore of next.due) run(chore, report).catch(onRefused)
    },
  }
}

/**
 * Only a player that sounds where the room is speaks for the room: one that buffers, or was just told to go elsewhere,
 * must not move it for everybody.
 */
function isSteady({ errorMs, sample }: FollowReport): boolean {
  if (errorMs === null || sample?.status !== 'playing') return false
  return Math.abs(errorMs) <= limits.forcedReportAgreementMs
}

async function reportPosition(link: RoomLink, { sample }: FollowReport, isForced: boolean): Promise<void> {
  const { roomId, store, connection, clock } = link
  if (!sample) return
  link.broadcastAtMs = wallNow()
  const { timeline } = store.getState().confirmed
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
  const payload = { roomId, state }
  await connection.call('playback_update', payload, {
    repeat: { afterMs: limits.repeatUnansweredMs, payload },
  })
}

async function reportDuration(
  { roomId, connection }: RoomLink,
  trackId: string,
  durationMs: number,
): Promise<void> {
  const state = { track_id: trackId, duration: Math.round(durationMs), force_sync: true }
  const payload = { roomId, state }
  await connection.call('playback_update', payload, {
    repeat: { afterMs: limits.repeatUnansweredMs, payload },
  })
}

/** Asks for all that the room is, and takes it over (7.21). Rejects with an AppError. */
export async function requestSync(
  { roomId, store, connection, clock }: RoomLink,
  { initialJoin = false, forceSync = false },
): Promise<void> {
  const payload = { roomId, timestamp: clock.serverNow(), initialJoin, forceSync, priority: 'normal' }
  const snapshot = await connection.call('request_sync', payload, {
    repeat: { afterMs: limits.repeatUnansweredMs, payload, alsoAs: ['sync_request', 'get_sync'] },
  })
  update(store, (data) => applySnapshot(data, snapshot))
}

async function reportSync({ roomId, connection, clock }: RoomLink, report: FollowReport): Promise<void> {
  const { isUsable, rttMs } = clock.estimate()
  const isHidden = document.hidden && report.cause !== 'in_sync' && report.cause !== 'paused'
  await connection.call('sync_report', {
    roomId,
    errorMs: report.errorMs,
    cause: isHidden ? 'hidden' : report.cause,
    rttMs: isUsable ? Math.min(60_000, rttMs) : null,
    player: report.player,
  })
}
