import { limits } from '@earshot/core/limits'
import type { Redis } from 'ioredis'
import type { ExchangeReports, SyncReports } from './sync-reports.ts'

/** Of a process with more members than this in one room, only so many of its reports are passed on. */
const reportsShared = 500

/** For a server that is one process. */
export const exchangeWithNobody: ExchangeReports = async () => []

/**
 * Through Redis: a hash per room with one field a process. What a process shared stays until the room has been silent
 * for a while, so each field says until when it counts.
 */
export function createReportExchange(redis: Redis, processId: string, nowMs: () => number): ExchangeReports {
  return async (roomId, own) => {
    const key = `earshot:sync:${roomId}`
    const reports = Object.fromEntries(Object.entries(own).slice(0, reportsShared))
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
  reports: SyncReports
}
