import type { Clock } from '@earshot/core/clock'
import type { SyncBoard } from '../sync-reports/sync-reports.ts'
import { bindEvent } from './client-event.ts'
import type { SyncMetrics } from './metrics.ts'

/** The clock probe, the echo, and how well each member is in sync. */
export function diagnosticsEvents(parts: { clock: Clock; syncBoard: SyncBoard; metrics: SyncMetrics }) {
  const { clock, syncBoard, metrics } = parts

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
      handle: async ({ roomId, errorMs, cause, rttMs, player }, call) => {
        await call.requireMember(roomId)
        syncBoard.report(roomId, call.user.id, { errorMs, cause, rttMs, player: player ?? null })
        if (errorMs !== null) metrics.observeError(errorMs)
        return {}
      },
    }),
  }
}
