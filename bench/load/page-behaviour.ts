import { limits } from '@earshot/core/limits'
import type { Connection } from './connections.ts'

/**
 * What an open page sends while a room plays undisturbed: a probe of the clock, and how well it is in sync. Each
 * connection begins at an instant of its own, as real pages do. Returns what stops it.
 */
export function behaveLikePages(connections: Connection[], roomIds: string[]): () => void {
  const stops = connections.map((connection, index) => {
    const share = index / connections.length
    const roomId = roomIds[index % roomIds.length] ?? ''
    const stopProbes = repeat(limits.probeIntervalMs, share, () =>
      connection.room?.call('ping', { time: performance.now() }),
    )
    const stopReports = repeat(limits.syncReportMs, share, () =>
      connection.room?.call('sync_report', { roomId, errorMs: 0.5, cause: 'in_sync', rttMs: 1 }),
    )
    return () => {
      stopProbes()
      stopReports()
    }
  })
  return () => {
    for (const stop of stops) stop()
  }
}

/** Every `everyMs`, the first time after a share (0..1) of it. */
function repeat(everyMs: number, share: number, send: () => Promise<unknown> | undefined): () => void {
  let timer = setTimeout(function run() {
    timer = setTimeout(run, everyMs)
    send()?.catch((error: unknown) => console.error('A page was refused:', error))
  }, everyMs * share)
  return () => clearTimeout(timer)
}
