import { createHash } from 'node:crypto'
import { type Clock, dayMs } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { youtubeMessages } from '@earshot/core/protocol/provider-messages'
import type { SearchQuota } from '@earshot/core/protocol/providers'
import type { Db } from '../../db/database.ts'
import {
  type QuotaDay,
  countVideoSearch,
  deleteVideoSearchCounts,
  findVideoSearchCount,
  setVideoSearchCount,
} from '../../db/youtube.ts'
import type { YoutubeKey } from './account/youtube-keys.ts'
import { serverLimits } from '../../server-limits.ts'

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
  const limit = serverLimits.youtubeSearchesPerDay
  const beyondShare = Math.floor(limit / 2)
  const share = serverLimits.youtubeSearchShare
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

export function dailyLimitError(nowMs: number, message: string = youtubeMessages.searchesUsedUp): AppError {
  const retryAfterMs = Math.ceil(endOfQuotaDay(nowMs) - nowMs)
  return new AppError('provider_limit', message, { retryAfterMs })
}

function shareError(nowMs: number): AppError {
  const retryAfterMs = Math.ceil(endOfQuotaDay(nowMs) - nowMs)
  return new AppError('provider_limit', youtubeMessages.shareUsedUp, { retryAfterMs })
}

/** Keys are long and random, so the digest does not reveal them. */
function toKeyId(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22)
}

/** YouTube's day begins at midnight, Pacific time, in every season. */
const pacific = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

function readPacific(atMs: number): { day: string; msOfDay: number } {
  const parts = Object.fromEntries(pacific.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const seconds = Number(parts.hour) * 3_600 + Number(parts.minute) * 60 + Number(parts.second)
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    msOfDay: seconds * 1_000 + (Math.floor(atMs) % 1_000),
  }
}

/** Returns the day in which YouTube counts a search at an instant (ms), such as 2026-11-22. */
export function quotaDay(atMs: number): string {
  return readPacific(atMs).day
}

/** Returns the instant (ms) at which the day of `atMs` ends. */
export function endOfQuotaDay(atMs: number): number {
  const estimate = Math.floor(atMs) - readPacific(atMs).msOfDay + dayMs
  // A day on which the clocks change has 23 or 25 hours: the estimate is then an hour off.
  const { msOfDay } = readPacific(estimate)
  return estimate - (msOfDay > dayMs / 2 ? msOfDay - dayMs : msOfDay)
}
