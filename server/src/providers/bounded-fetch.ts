import { dayMs } from '@earshot/core/clock'

/** The answer of a provider, read in full. */
export interface ProviderAnswer {
  status: number
  headers: Headers
  text: string
}

interface FetchBounds {
  timeoutMs: number
  maxBytes: number
}

/** A provider that could not be reached, answered too late or too much. The message names no address and no secret. */
export class ProviderUnreachable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'ProviderUnreachable'
  }
}

/**
 * Sends a request to a provider and reads its whole answer, within a time and a size. Redirects are not followed, so
 * only the given address is ever called. @throws ProviderUnreachable
 */
export async function fetchBounded(
  url: string,
  init: RequestInit,
  { timeoutMs, maxBytes }: FetchBounds,
): Promise<ProviderAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual', signal })
    return { status: answer.status, headers: answer.headers, text: await readText(answer, maxBytes) }
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw error
    throw new ProviderUnreachable(signal.aborted ? 'no answer in time' : 'no connection', { cause: error })
  }
}

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new ProviderUnreachable('the answer was too long')
    parts.push(part)
  }
  // Drops a byte order mark, which JSON does not allow.
  return new TextDecoder().decode(Buffer.concat(parts))
}

/** Reads `Retry-After` (seconds, or a date), as ms from now and at most a day; null where it is missing or unreadable. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  const isSeconds = /^\d+(?:\.\d+)?$/.test(value)
  const isDate = /^[a-z]{3}, /i.test(value)
  const ms = isSeconds ? Number(value) * 1_000 : isDate ? Date.parse(value) - nowMs : NaN
  return Number.isFinite(ms) ? Math.min(Math.max(1_000, Math.ceil(ms)), dayMs) : null
}
