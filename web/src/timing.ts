import { wallNow } from './wall-clock.ts'

/** Creates a timer that acts at the latest instant it was set to, in ms of `wallNow`; null stops it. */
export function createDueTimer(act: () => void): (dueAtMs: number | null) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (dueAtMs) => {
    clearTimeout(timer)
    if (dueAtMs !== null) timer = setTimeout(act, Math.max(0, dueAtMs - wallNow()))
  }
}

/** Resolves after a time; at once where it is negative. Rejects with the signal's reason when that aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}

/**
 * Returns a signal that aborts with the given one, or with a `TimeoutError` after `ms`; `release` ends both. Not
 * `AbortSignal.any`, which browsers of 2023 do not have.
 */
export function linkedSignal(
  outer: AbortSignal | null | undefined,
  ms: number,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  const timeout = new DOMException('The server did not answer in time', 'TimeoutError')
  const timer = setTimeout(() => controller.abort(timeout), ms)
  outer?.addEventListener('abort', stop)
  if (outer?.aborted) stop()
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}
