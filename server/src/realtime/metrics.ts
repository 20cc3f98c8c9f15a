import { percentile } from '@earshot/core/statistics'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { SyncBoard } from '../sync-reports/sync-reports.ts'
import { type RoomServer, channelOf } from './socket-types.ts'

/** What the realtime side tells operators. */
export interface SyncMetrics {
  /** A member reported how far they are from their room's timeline, ms. */
  observeError(errorMs: number): void
}

export interface EventMetrics {
  /** An event was answered: its name (a known one, or "unknown"), and "ok" or the code of the error. */
  observeEvent(event: string, result: string, seconds: number): void
}

export function createSyncMetrics(registry: Registry): SyncMetrics {
  const histogram = new Histogram({
    name: 'earshot_sync_error_seconds',
    help: "How far members' sound was from the timeline of their room, as they report it every 5 s",
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers: [registry],
  })
  return { observeError: (errorMs) => histogram.observe(Math.abs(errorMs) / 1_000) }
}

export function createEventMetrics(registry: Registry): EventMetrics {
  const histogram = new Histogram({
    name: 'earshot_event_seconds',
    help: 'From the receipt of a realtime event to its answer',
    labelNames: ['event', 'result'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1],
    registers: [registry],
  })
  return { observeEvent: (event, result, seconds) => histogram.observe({ event, result }, seconds) }
}

/** Gauges that are read when they are asked for. */
export function exposeGauges(registry: Registry, io: RoomServer, syncBoard: SyncBoard): void {
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
  expose('earshot_rooms', 'Rooms with a member who is connected to this process', () => countRooms(io))
  expose('earshot_sync_error_p50_seconds', 'Median of the errors that members reported last', () =>
    seconds(percentile(syncBoard.errorsMs(), 0.5)),
  )
  expose('earshot_sync_error_p95_seconds', '95th percentile of the errors that members reported last', () =>
    seconds(percentile(syncBoard.errorsMs(), 0.95)),
  )
}

function countRooms(io: RoomServer): number {
  const channels = [...io.sockets.adapter.rooms.keys()]
  return channels.filter((channel) => channel.startsWith(channelOf(''))).length
}
