import { percentile } from '@earshot/core/statistics'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { SyncReports } from '../sync-reports/sync-reports.ts'
import type { RoomServer } from './room-sockets.ts'
import { roomIdsOf } from './room-channels.ts'

interface RealtimeMetrics {
  /** Labels: the name of a known event, or "unknown"; "ok" or the code of the error. */
  eventSeconds: Histogram<'event' | 'result'>
  syncErrorSeconds: Histogram
}

/** Registers the metrics of the realtime channel. */
export function createRealtimeMetrics(
  registry: Registry,
  io: RoomServer,
  syncReports: SyncReports,
): RealtimeMetrics {
  exposeGauges(registry, io, syncReports)
  return {
    eventSeconds: new Histogram({
      name: 'earshot_event_seconds',
      help: 'From the receipt of a realtime event to its answer',
      labelNames: ['event', 'result'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1],
      registers: [registry],
    }),
    syncErrorSeconds: new Histogram({
      name: 'earshot_sync_error_seconds',
      help: "What members' sound was in sync with their room within, as they report it every 5 s: error plus uncertainty",
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
      registers: [registry],
    }),
  }
}

/** Registers gauges that are read on collection. */
function exposeGauges(registry: Registry, io: RoomServer, syncReports: SyncReports): void {
  const expose = (name: string, help: string, read: () => number | null): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        gauge.set(read() ?? Number.NaN)
      },
    })
  }
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000)
  expose('earshot_sockets', 'Sockets connected to this process', () => io.engine.clientsCount)
  expose(
    'earshot_rooms',
    'Rooms with a member who is connected to this process',
    () => roomIdsOf(io.sockets.adapter.rooms.keys()).length,
  )
  expose('earshot_sync_error_p50_seconds', 'Median of what members were last in sync within', () =>
    seconds(percentile(syncReports.boundsMs(), 0.5)),
  )
  expose('earshot_sync_error_p95_seconds', '95th percentile of what members were last in sync within', () =>
    seconds(percentile(syncReports.boundsMs(), 0.95)),
  )
}
