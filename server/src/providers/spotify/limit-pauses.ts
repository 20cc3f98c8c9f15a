import { minuteMs } from '@earshot/core/clock'
import { z } from 'zod'
import { parseJson } from '../../parse-json.ts'
import { type ProviderAnswer, readRetryAfterMs } from '../bounded-fetch.ts'

/** Where Spotify does not state it. Its window is 30 s. */
const ratePauseMs = 30_000
const quotaPauseMs = 15 * minuteMs
const usersKept = 10_000

/** Until when Spotify refuses requests: of one user, and of all of them once the app's quota is used up. */
export interface LimitPauses {
  /** Returns when the pause ends, in ms; null without one. A visitor (null) sees only the app's. */
  until(userId: string | null, nowMs: number): number | null
  /** Stores the pause that a 429 demands and returns its end. */
  add(userId: string | null, answer: ProviderAnswer, nowMs: number): number
}

const quotaSchema = z.object({ error: z.object({ reason: z.literal('QUOTA_EXCEEDED') }) })

export function createLimitPauses(): LimitPauses {
  const users = new Map<string, number>()
  let appUntil = 0

  const forgetEnded = (nowMs: number): void => {
    for (const [userId, until] of users) if (until <= nowMs || users.size > usersKept) users.delete(userId)
  }

  return {
    until(userId, nowMs) {
      const until = Math.max(appUntil, users.get(userId ?? '') ?? 0)
      return until > nowMs ? until : null
    },
    add(userId, { headers, text }, nowMs) {
      const isQuota = quotaSchema.safeParse(parseJson(text)).success
      const retryAfterMs = readRetryAfterMs(headers, nowMs)
      const until = Math.ceil(nowMs + (retryAfterMs ?? (isQuota ? quotaPauseMs : ratePauseMs)))
      if (isQuota) appUntil = Math.max(appUntil, until)
      else if (userId !== null) {
        forgetEnded(nowMs)
        users.set(userId, until)
      }
      return until
    },
  }
}
