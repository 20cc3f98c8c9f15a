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

const dayMs = 86_400_000

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
