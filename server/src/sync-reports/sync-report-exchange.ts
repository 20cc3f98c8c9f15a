import { limits } from '@earshot/core/limits'
import type { Redis } from 'ioredis'
import type { ExchangeReports, MemberReports } from './sync-reports.ts'

/** Maximum reports that a process shares of one room. */
const maxShared = 500

/** The exchange of a server with a single process. */
export const noExchange: ExchangeReports = async () => []

/**
 * Creates an exchange through Redis: one hash per room with one field per process. A field outlives its reports while
 * other processes keep the hash alive, so each carries its own expiry.
 */
export function createReportExchange(redis: Redis, processId: string, nowMs: () => number): ExchangeReports {
  return async (roomId, own) => {
    const key = `earshot:sync:${roomId}`
    const reports = Object.fromEntries(Object.entries(own).slice(0, maxShared))
    const shared: Shared = { untilMs: nowMs() + limits.syncReportKeepMs, reports }
    const results = await redis
      .multi()
      .hset(key, processId, JSON.stringify(shared))
      .pexpire(key, limits.syncReportKeepMs * 2)
      .hgetall(key)
      .exec()
    const fields = (results?.[2]?.[1] ?? {}) as Record<string, string>
    return Object.entries(fields)
      .filter(([id]) => id !== processId)
      .map(([, json]) => JSON.parse(json) as Shared)
      .filter(({ untilMs }) => untilMs > nowMs())
      .map((other) => other.reports)
  }
}

interface Shared {
  untilMs: number
  reports: MemberReports
}
