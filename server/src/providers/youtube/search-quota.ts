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
import type { YoutubeKey } from './youtube-keys.ts'

/** Counts the searches of each key and day in the database, for all processes (7.14b). */
export interface SearchQuotas {
  /**
   * Counts a search before it is sent. Of the server's key, each user has a share; beyond it they search only while half
   * of the day's searches are left for others. @throws AppError provider_limit without searches left
   */
  take(key: YoutubeKey, userId: string): Promise<void>
  /** Marks the day's searches as used up: YouTube counts other uses of the key too. */
  exhaust(key: string): Promise<void>
  read(key: string): Promise<SearchQuota>
  /** Returns when the user may search again, in ms; null where they may now. A visitor (null) has no share. */
  pausedUntil(key: YoutubeKey, userId: string | null): Promise<number | null>
  /** Forgets days that are over. */
  sweep(): Promise<void>
}

export function createSearchQuotas(db: Db, clock: Clock): SearchQuotas {
  const limit = limits.youtubeSearchesPerDay
  const beyondShare = Math.floor(limit / 2)
  const share = limits.youtubeSearchShare
  const today = (key: string): QuotaDay => ({ keyId: toKeyId(key), day: quotaDay(clock.now()) })
  const shareOf = (key: string, userId: string): QuotaDay => today(`${key}\n${userId}`)

  return {
    async take({ key, isOwn }, userId) {
      const isInShare = isOwn || (await countVideoSearch(db, shareOf(key, userId), share)) !== null
      const counted = await countVideoSearch(db, today(key), isInShare ? limit : beyondShare)
      if (counted !== null) return
      const used = await findVideoSearchCount(db, today(key))
      throw used < limit ? shareError(clock.now()) : dailyLimitError(clock.now())
    },
    exhaust: (key) => setVideoSearchCount(db, today(key), limit),
    async read(key) {
      const used = await findVideoSearchCount(db, today(key))
      return { used, limit, resetsAt: endOfQuotaDay(clock.now()) }
    },
    async pausedUntil({ key, isOwn }, userId) {
      const used = await findVideoSearchCount(db, today(key))
      const own = isOwn || userId === null ? 0 : await findVideoSearchCount(db, shareOf(key, userId))
      const isPaused = used >= limit || (own >= share && used >= beyondShare)
      return isPaused ? endOfQuotaDay(clock.now()) : null
    },
    sweep: () => deleteVideoSearchCounts(db, quotaDay(clock.now())),
  }
}

export function dailyLimitError(nowMs: number): AppError {
  const retryAfterMs = Math.ceil(endOfQuotaDay(nowMs) - nowMs)
  const message = "Today's YouTube searches are used up. Pasted links still work"
  return new AppError('provider_limit', message, { retryAfterMs })
}

function shareError(nowMs: number): AppError {
  const retryAfterMs = Math.ceil(endOfQuotaDay(nowMs) - nowMs)
  const message =
    "You have used your share of today's YouTube searches; the others are left for other people. " +
    'Pasted links still work, and so does a key of your own in your profile'
  return new AppError('provider_limit', message, { retryAfterMs })
}

/** Keys are long and random, so the digest does not reveal them. */
function toKeyId(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22)
}
