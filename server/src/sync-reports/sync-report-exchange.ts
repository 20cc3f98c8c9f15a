import type { Redis } from 'ioredis'
import { serverLimits } from '../server-limits.ts'

/** Shares a room's reports, by user id, with the other processes and resolves to theirs. */
export type ExchangeReports<Report> = (
  roomId: string,
  own: Record<string, Report>,
) => Promise<Record<string, Report>[]>

/** Maximum reports that a process shares of one room. */
const sharedReportsMax = 500

/**
 * Creates an exchange through Redis: one hash per room with one field per process. A field outlives its reports while
 * other processes keep the hash alive, so each carries its own expiry. `kind` names the kind of reports.
 */
export function createReportExchange<Report>(
  redis: Redis,
  { kind, processId, nowMs }: { kind: string; processId: string; nowMs: () => number },
): ExchangeReports<Report> {
  return async (roomId, own) => {
    const key = `earshot:${kind}:${roomId}`
    const reports = Object.fromEntries(Object.entries(own).slice(0, sharedReportsMax))
    const shared: Shared<Report> = { untilMs: nowMs() + serverLimits.syncReportKeepMs, reports }
    const results = await redis
      .multi()
      .hset(key, processId, JSON.stringify(shared))
      .pexpire(key, serverLimits.syncReportKeepMs * 2)
      .hgetall(key)
      .exec()
    const fields = (results?.[2]?.[1] ?? {}) as Record<string, string>
    return Object.entries(fields)
      .filter(([id]) => id !== processId)
      .map(([, json]) => JSON.parse(json) as Shared<Report>)
      .filter(({ untilMs }) => untilMs > nowMs())
      .map((other) => other.reports)
  }
}

interface Shared<Report> {
  untilMs: number
  reports: Record<string, Report>
}
