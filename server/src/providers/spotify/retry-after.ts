const longestMs = 24 * 60 * 60 * 1_000

/** Reads `Retry-After` (seconds, or a date), as ms from now and at most a day; null where it is missing or unreadable. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  const isSeconds = /^\d+(?:\.\d+)?$/.test(value)
  const isDate = /^[a-z]{3}, /i.test(value)
  const ms = isSeconds ? Number(value) * 1_000 : isDate ? Date.parse(value) - nowMs : NaN
  return Number.isFinite(ms) ? Math.min(Math.max(1_000, Math.ceil(ms)), longestMs) : null
}
