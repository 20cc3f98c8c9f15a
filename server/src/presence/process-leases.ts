import type { Clock } from '@earshot/core/clock'
import type { Redis } from 'ioredis'
import { presencePrefix } from './presence-redis.ts'
import { serverLimits } from '../server-limits.ts'

/**
 * Leases of the server processes that share a Redis, one each, renewed every 2 s. The members of a process that died are
 * gone when its one lease ends, so their own leases can be long and are renewed seldom.
 */
export interface ProcessLeases {
  /** Renews the lease of this process. Resolves to whether it had ended: its members may be gone too. */
  renew(): Promise<boolean>
  /**
   * Ends the presence leases of processes whose lease ended. The next sweep of presence removes their users. Resolves to
   * whether there was one that no other process had noticed.
   */
  expireDead(): Promise<boolean>
  /** Ends the lease of a process that closes. The grace periods of its members go on. */
  release(): Promise<void>
}

/** Names read in one step, so that Redis is never blocked for long. */
const scanCount = 1_000

/** Keys, after `prefix`: `processes` (process ids sorted by expiry) and `seats`, see presence-redis.ts. */
export function createProcessLeases(
  redis: Redis,
  clock: Clock,
  processId: string,
  prefix = presencePrefix,
): ProcessLeases {
  const processesKey = `${prefix}:processes`
  const leasesKey = `${prefix}:seats`

  const endLeasesOf = async (deadId: string, nowMs: number): Promise<void> => {
    let cursor = '0'
    do {
      const [next, found] = await redis.zscan(
        leasesKey,
        cursor,
        'MATCH',
        `* * ${deadId}.*`,
        'COUNT',
        scanCount,
      )
      // Names and scores alternate. XX: a lease that was released meanwhile stays so.
      const names = found.filter((_, index) => index % 2 === 0)
      if (names.length > 0) await redis.zadd(leasesKey, 'XX', 'LT', ...names.flatMap((name) => [nowMs, name]))
      cursor = next
    } while (cursor !== '0')
  }

  return {
    async renew() {
      return (await redis.zadd(processesKey, clock.now() + serverLimits.processLeaseMs, processId)) === 1
    },
    async expireDead() {
      const nowMs = clock.now()
      let hasFound = false
      for (const deadId of await redis.zrangebyscore(processesKey, '-inf', nowMs)) {
        const isFirst = (await redis.zrem(processesKey, deadId)) === 1
        if (!isFirst || deadId === processId) continue
        await endLeasesOf(deadId, nowMs)
        hasFound = true
      }
      return hasFound
    },
    async release() {
      await redis.zrem(processesKey, processId)
    },
  }
}
