import { limits } from '@earshot/core/limits'
import type { Connection } from './connections.ts'

/**
 * Sends the messages of an open page in a playing room with a settled clock: clock probes, sync reports whose figures
 * tremble as those of real pages do, and requests of the state. Each connection starts at a different instant. Returns a
 * function that stops it.
 */
export function simulatePages(connections: Connection[], roomIds: string[]): () => void {
  const stops = connections.map((connection, index) => {
    const share = index / connections.length
    const roomId = roomIds[index % roomIds.length] ?? ''
    const stopProbes = repeat(limits.probeSettledIntervalMs, share, () =>
      connection.room?.call('ping', { time: performance.now() }),
    )
    const stopReports = repeat(limits.syncReportMs, share, async () =>
      connection.room?.tell('sync_report', {
        roomId,
        errorMs: trembling(0.3, 0.5),
        uncertaintyMs: trembling(4, 0.5),
        cause: 'in_sync',
        rttMs: 1,
      }),
    )
    let queueVersion: number | undefined
    const stopRequests = repeat(limits.syncRequestPlayingMs, share, async () => {
      const answer = await connection.room?.call('request_sync', {
        roomId,
        queueDeltas: true,
        queueVersion,
        brief: true,
      })
      queueVersion = answer?.queueVersion
    })
    return () => {
      stopProbes()
      stopReports()
      stopRequests()
    }
  })
  return () => {
    for (const stop of stops) stop()
  }
}

const trembling = (mean: number, by: number): number => mean + by * (2 * Math.random() - 1)

/** Sends every `everyMs`, first after `share` (0..1) of it. */
function repeat(everyMs: number, share: number, send: () => Promise<unknown> | undefined): () => void {
  let timer = setTimeout(function run() {
    timer = setTimeout(run, everyMs)
    send()?.catch((error: unknown) =>
      console.error('The server refused a message of a simulated page:', error),
    )
  }, everyMs * share)
  return () => clearTimeout(timer)
}
