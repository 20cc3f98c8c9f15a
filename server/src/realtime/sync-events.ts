import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import type { Logger } from 'pino'
import type { Histogram } from 'prom-client'
import { repeat } from '../async/repeat.ts'
import type { Presence } from '../presence/presence.ts'
import type { SyncChanges } from '../sync-reports/sync-changes.ts'
import type { SyncReports, SyncStatus } from '../sync-reports/sync-reports.ts'
import type { RoomServer } from './room-sockets.ts'
import { bindEvent } from './bind-event.ts'
import { channelOf, wholeSyncChannelOf } from './room-channels.ts'

/** Clock probe, echo, and the members' reports of how well they are in sync. */
export function syncEvents(parts: { clock: Clock; syncReports: SyncReports; syncErrorSeconds: Histogram }) {
  const { clock, syncReports, syncErrorSeconds } = parts

  return {
    ping: bindEvent('ping', {
      rate: 'probe',
      handle: ({ time }, call) => ({ time, receivedAtMs: call.receivedAtMs, sentAtMs: clock.now() }),
    }),
    echo: bindEvent('echo', {
      rate: 'probe',
      handle: (payload, call) => {
        const answer = { ...payload, serverTime: clock.now() }
        if (!call.hasAck) call.socket.emit('echo', answer)
        return answer
      },
    }),
    member_sync: bindEvent('member_sync', {
      rate: 'memberSync',
      isBulky: true,
      handle: ({ roomId, memberIds }) => ({ members: syncReports.find(roomId, memberIds) }),
    }),
    sync_report: bindEvent('sync_report', {
      rate: 'command',
      handle: ({ roomId, player = null, ...report }, call) => {
        syncReports.report(roomId, call.user.id, { ...report, player })
        const boundMs = withinMs(report)
        if (boundMs !== null) syncErrorSeconds.observe(boundMs / 1_000)
        return {}
      },
    }),
  }
}

/**
 * Sends each room, every 5 s, how well its members are in sync: what changed, of the first members only; to clients that do
 * not understand changes all of it, in a large room of the first page of members. Every process serves its own sockets.
 * Returns a function that stops it and resolves when no run is under way.
 */
export function startSyncStatus(parts: {
  io: RoomServer
  clock: Clock
  logger: Logger
  presence: Presence
  syncReports: SyncReports
  syncChanges: SyncChanges
}): () => Promise<void> {
  const { io, clock, logger, presence, syncReports, syncChanges } = parts

  const takeFirst = async (roomId: string, status: SyncStatus, limit: number): Promise<SyncStatus> => {
    if (Object.keys(status.members).length <= limit) return status
    const page = await presence.listMembers(roomId, { offset: 0, limit }).catch(() => null)
    const firstIds = page?.map(({ id }) => id) ?? Object.keys(status.members).slice(0, limit)
    const members = firstIds.flatMap((id) => {
      const report = status.members[id]
      return report ? [[id, report] as const] : []
    })
    return { ...status, members: Object.fromEntries(members) }
  }

  const sendAll = async (): Promise<void> => {
    for await (const { roomId, status } of syncReports.collect()) {
      const whole = wholeSyncChannelOf(roomId)
      if (io.sockets.adapter.rooms.has(whole)) {
        const sent = await takeFirst(roomId, status, limits.membersPageSize)
        io.local.to(whole).emit('sync_status', { roomId, ...sent })
      }
      const change = syncChanges.next(roomId, await takeFirst(roomId, status, limits.syncShownMembers))
      if (change)
        io.local
          .to(channelOf(roomId))
          .except(whole)
          .emit('sync_changes', { roomId, ...change })
    }
    syncChanges.dropOld()
  }

  const timing = { firstMs: limits.syncReportMs, everyMs: limits.syncReportMs }
  return repeat(clock, timing, sendAll, (error) =>
    logger.error({ err: error }, `Could not send sync status; retrying in ${limits.syncReportMs / 1_000} s`),
  )
}
