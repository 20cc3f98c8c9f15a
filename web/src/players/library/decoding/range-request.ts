import { delay, linkedSignal } from '../../../timing.ts'

/** The server does not give the file, or no longer the same one: asking again does not help. */
export class RefusedError extends Error {
  /** A status, or `changed`. */
  readonly reason: number | 'changed'

  constructor(url: string, reason: number | 'changed') {
    super(reason === 'changed' ? `${url} has changed` : `${url} was refused with status ${reason}`)
    this.reason = reason
  }
}

/** The request was given up: reading goes on elsewhere. */
export class LeftError extends Error {}

/** The head of an answer; `response` has the bytes. */
interface RangeAnswer {
  start: number
  /** Of the whole file. */
  size: number
  tag: string | null
  response: Response
}

/**
 * Asks for a range of a file, with the session's cookie. Rejects with RefusedError where asking again does not help.
 * `isInside`: the range begins in the file as it was.
 */
export async function requestRange(
  url: string,
  range: string,
  init: RequestInit,
  isInside: boolean,
): Promise<RangeAnswer> {
  const response = await fetch(url, { headers: { range }, credentials: 'include', ...init })
  if (response.status !== 206) {
    // A restarting server or its proxy answers 5xx, which is retried like a missing answer.
    const isTemporary = response.status >= 500 || response.status === 429
    await response.body?.cancel()
    if (isTemporary) throw new Error(`Status ${response.status}`)
    throw new RefusedError(url, response.status === 416 && isInside ? 'changed' : response.status)
  }
  const [, start, size] = /(\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  return { start: Number(start), size: Number(size), tag: response.headers.get('etag'), response }
}

/** Of the first attempt; each that follows may take twice as long. A connection may hang, and a server may be slow. */
export const firstTimeoutMs = 5_000
const mostTimeoutMs = 15_000
const firstDelayMs = 250
const mostDelayMs = 3_000

/**
 * Attempts a request until it succeeds, with growing delays and timeouts. Rejects with the signal's reason when that aborts,
 * and with an error that `isFinal`.
 */
export async function retryRequest<Answer>(
  { signal, isFinal }: { signal: AbortSignal; isFinal: (error: unknown) => boolean },
  attempt: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  for (let [timeoutMs, delayMs] = [firstTimeoutMs, firstDelayMs]; ;) {
    try {
      return await limitTime(signal, timeoutMs, attempt)
    } catch (error) {
      signal.throwIfAborted()
      if (isFinal(error)) throw error
    }
    await delay(delayMs, signal)
    timeoutMs = Math.min(mostTimeoutMs, 2 * timeoutMs)
    delayMs = Math.min(mostDelayMs, 2 * delayMs)
  }
}

/** Runs a request with a signal that aborts with the given one, or when the time is over. */
export async function limitTime<Answer>(
  outer: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  outer.throwIfAborted()
  const { signal, release } = linkedSignal(outer, timeoutMs)
  try {
    return await run(signal)
  } finally {
    release()
  }
}
