import { apiErrors } from './api-errors.ts'

/** The calls that one key's project may make a day. */
export interface QuotaLimits {
  searchesPerDay: number
  unitsPerDay: number
}

export interface QuotaUse {
  searches: number
  units: number
}

/** Counts calls per project and day. Searches have a bucket of their own. Days begin at midnight in California. */
export class DailyQuota {
  limits: QuotaLimits
  readonly #now: () => number
  readonly #used = new Map<string, QuotaUse>()

  constructor(limits: QuotaLimits, now: () => number) {
    this.limits = limits
    this.#now = now
  }

  /** Counts a call. @throws ApiError 429 without searches left, 403 without units left */
  take(key: string, kind: 'search' | 'unit'): void {
    const used = this.used(key)
    if (kind === 'search') {
      if (used.searches >= this.limits.searchesPerDay) {
        throw apiErrors.searchQuotaExceeded(this.limits.searchesPerDay)
      }
      used.searches += 1
    } else {
      if (used.units >= this.limits.unitsPerDay) throw apiErrors.quotaExceeded()
      used.units += 1
    }
  }

  /** Returns today's use of a key, which may be changed. */
  used(key: string): QuotaUse {
    const bucket = `${pacificDay(this.#now())} ${key}`
    const used = this.#used.get(bucket) ?? { searches: 0, units: 0 }
    this.#used.set(bucket, used)
    return used
  }

  reset(): void {
    this.#used.clear()
  }
}

const pacificDays = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' })

const pacificDay = (at: number): string => pacificDays.format(at)
