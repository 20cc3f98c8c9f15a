import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import type { Logger } from 'pino'
import type { Histogram } from 'prom-client'
import { repeat } from '../async/repeat.ts'
import type { Presence } from '../presence/presence.ts'
import type { SyncReports, SyncStatus } from '../sync-reports/sync-reports.ts'
import { type RoomServer, bindEvent, channelOf } from './client-event.ts'

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
      handle: (payload) => ({ ...payload, serverTime: clock.now() }),
    }),
    sync_report: bindEvent('sync_report', {
      rate: 'command',
      handle: async ({ roomId, player = null, ...report }, call) => {
        await call.requireMember(roomId)
        syncReports.report(roomId, call.user.id, { ...report, player })
        const boundMs = withinMs(report)
        if (boundMs !== null) syncErrorSeconds.observe(boundMs / 1_000)
        return {}
      },
    }),
  }
}

/**
 * Sends each room, every 5 s, how well its members are in sync; in a large room only the first page of members. Every
 * process serves its own sockets. Returns a function that stops it and resolves when no run is under way.
 */
export function startSyncStatus(parts: {
  io: RoomServer
  clock: Clock
  logger: Logger
  presence: Presence
  syncReports: SyncReports
}): () => Promise<void> {
  const { io, clock, logger, presence, syncReports } = parts

  const toFirstPage = async (roomId: string, status: SyncStatus): Promise<SyncStatus> => {
    if (Object.keys(status.members).length <= limits.membersPageSize) return status
    const page = await presence.listMembers(roomId, { offset: 0, limit: limits.membersPageSize })
    const members = page.flatMap(({ id }) => {
      const report = status.members[id]
      return report ? [[id, report] as const] : []
    })
    return { ...status, members: Object.fromEntries(members) }
  }

  const sendAll = async (): Promise<void> => {
    for (const { roomId, status } of await syncReports.collect()) {
      const sent = await toFirstPage(roomId, status)
      io.local.to(channelOf(roomId)).emit('sync_status', { roomId, ...sent })
    }
  }

  const timing = { firstMs: limits.syncReportMs, everyMs: limits.syncReportMs }
  return repeat(clock, timing, sendAll, (error) =>
    logger.error({ err: error }, `Could not send sync status; retrying in ${limits.syncReportMs / 1_000} s`),
  )
}
