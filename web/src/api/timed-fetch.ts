import { linkedSignal } from '../timing.ts'
import { noteServerDate } from '../wall-clock.ts'
import { noteVersion } from './page-data.ts'

/** How long a call may take, answer included. Longer than a slow phone needs for the largest answer. */
export const callTimeoutMs = 10_000
/** Of calls for which the server asks a provider: it may take its time, and is asked twice. */
export const providerTimeoutMs = 30_000
/**
 * Of calls for which the server hashes a password, one after the other. They are not repeated: an account may exist
 * by then.
 */
export const passwordTimeoutMs = 30_000

/** Returns the timeout of a call that may set a room's password, in ms: the server hashes it. */
export const timeoutWith = (password: string | null | undefined): number =>
  password ? passwordTimeoutMs : callTimeoutMs

/**
 * Like `fetch`, and gives up after a while, also on an answer that stops half-way: rejects with a `TimeoutError`. An
 * aborted `signal` rejects with its own reason.
 */
export async function timedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
  timeoutMs = callTimeoutMs,
): Promise<Response> {
  // Not released with the head of the answer: its body is still to come.
  const { signal } = linkedSignal(init.signal, timeoutMs)
  const response = await fetch(input, { ...init, signal })
  noteVersion(response.headers)
  noteServerDate(response)
  return response
}

/** Whether a call failed because it took too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}
