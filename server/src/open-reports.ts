import { limits } from '@earshot/core/limits'
import type { Base } from './base.ts'
import { listUpcomingTrackIds } from './db/room-queues.ts'
import { newId } from './ids.ts'
import type { RoomServer } from './realtime/room-sockets.ts'
import { connectedUsers } from './realtime/playability-events.ts'
import type { Rooms } from './rooms/rooms.ts'
import { createPlayability } from './sync-reports/playability.ts'
import {
  type ExchangeReports,
  createReportExchange,
  noExchange,
} from './sync-reports/sync-report-exchange.ts'
import { createSyncReports } from './sync-reports/sync-reports.ts'

/** Opens what members report about their players, shared by all processes. */
export function openReports(
  { db, clock, redis }: Base,
  io: RoomServer,
): Pick<Rooms, 'syncReports' | 'playability'> {
  const processId = newId()
  const nowMs = (): number => clock.now()
  const exchange = <Report>(kind: string): ExchangeReports<Report> | null =>
    redis && createReportExchange(redis.commands, { kind, processId, nowMs })
  return {
    syncReports: createSyncReports(clock, exchange('sync') ?? noExchange),
    playability: createPlayability({
      clock,
      exchange: exchange('playability'),
      listUpcoming: (roomId) => listUpcomingTrackIds(db, roomId, limits.playabilityReportSize),
      connectedUsers: (roomId) => connectedUsers(io, roomId),
    }),
  }
}
