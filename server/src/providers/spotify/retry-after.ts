const longestMs = 24 * 60 * 60 * 1_000

/** Reads `Retry-After` (seconds, or a date), as ms from now and at most a day; null where it is missing or unreadable. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs
  return Number.isFinite(ms) ? Math.min(Math.max(1_000, Math.ceil(ms)), longestMs) : null
}
