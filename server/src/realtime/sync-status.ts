import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Logger } from 'pino'
import type { Presence } from '../presence/presence.ts'
import { repeat } from '../async/repeat.ts'
import type { SyncBoard, SyncStatus } from '../sync-reports/sync-reports.ts'
import { type RoomServer, channelOf } from './socket-types.ts'

/**
 * Tells each room, every 5 s, how well its members are in sync. Every process tells its own sockets what it knows of
 * all; of a large room it tells of the first page of members. Returns what stops it.
 */
export function startSyncStatus(parts: {
  io: RoomServer
  clock: Clock
  logger: Logger
  presence: Presence
  syncBoard: SyncBoard
}): () => Promise<void> {
  const { io, clock, logger, presence, syncBoard } = parts

  const toFirstPage = async (roomId: string, status: SyncStatus): Promise<SyncStatus> => {
    if (Object.keys(status.members).length <= limits.membersPageSize) return status
    const page = await presence.listMembers(roomId, { offset: 0, limit: limits.membersPageSize })
    const members = page.flatMap(({ id }) => {
      const report = status.members[id]
      return report ? [[id, report] as const] : []
    })
    return { ...status, members: Object.fromEntries(members) }
  }

  const tellAll = async (): Promise<void> => {
    for (const { roomId, status } of await syncBoard.collect()) {
      const told = await toFirstPage(roomId, status)
      io.local.to(channelOf(roomId)).emit('sync_status', { roomId, ...told })
    }
  }

  const timing = { firstMs: limits.syncReportMs, everyMs: limits.syncReportMs }
  return repeat(clock, timing, tellAll, (error) =>
    logger.error({ err: error }, 'could not tell rooms how well they are in sync'),
  )
}
