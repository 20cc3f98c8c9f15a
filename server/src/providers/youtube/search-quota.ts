import { createHash } from 'node:crypto'
import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { SearchQuota } from '@earshot/core/protocol/providers'
import type { Db } from '../../db/database.ts'
import {
  type QuotaDay,
  countVideoSearch,
  deleteVideoSearchCounts,
  findVideoSearchCount,
  setVideoSearchCount,
} from '../../db/youtube.ts'
import { endOfQuotaDay, quotaDay } from './quota-day.ts'

/** Counts the searches of each key and day in the database, for all processes (7.14b). */
export interface SearchQuotas {
  /** Counts a search before it is sent. @throws AppError provider_limit without searches left */
  take(key: string): Promise<void>
  /** Marks the day's searches as used up: YouTube counts other uses of the key too. */
  exhaust(key: string): Promise<void>
  read(key: string): Promise<SearchQuota>
  /** Forgets days that are over. */
  sweep(): Promise<void>
}

export function createSearchQuotas(db: Db, clock: Clock): SearchQuotas {
  const limit = limits.youtubeSearchesPerDay
  const today = (key: string): QuotaDay => ({ keyId: toKeyId(key), day: quotaDay(clock.now()) })

  return {
    async take(key) {
      if ((await countVideoSearch(db, today(key), limit)) === null) throw dailyLimitError(clock.now())
    },
    exhaust: (key) => setVideoSearchCount(db, today(key), limit),
    async read(key) {
      const used = await findVideoSearchCount(db, today(key))
      return { used, limit, resetsAt: endOfQuotaDay(clock.now()) }
    },
    sweep: () => deleteVideoSearchCounts(db, quotaDay(clock.now())),
  }
}

export function dailyLimitError(nowMs: number): AppError {
  const retryAfterMs = Math.ceil(endOfQuotaDay(nowMs) - nowMs)
  const message = "Today's YouTube searches are used up. Pasted links still work"
  return new AppError('provider_limit', message, { retryAfterMs })
}

/** Keys are long and random, so the digest does not reveal them. */
function toKeyId(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22)
}
