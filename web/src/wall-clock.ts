/**
 * The client's monotonic wall clock: milliseconds since the Unix epoch by the system clock at page load, from then
 * on by the monotonic one. Setting the system clock does not move it; `Date.now()` is never used for sync.
 */
export const wallNow = (): number => performance.timeOrigin + performance.now()

/** HTTP states the time to the second, and an answer may take some seconds. */
const noticedMs = 30_000
let serverAheadMs = 0

/** Compares the device's clock with the server's, by the `Date` of an answer that has just come. */
export function noteServerDate({ headers }: Pick<Response, 'headers'>): void {
  const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now()
  if (Number.isFinite(aheadMs)) serverAheadMs = Math.abs(aheadMs) < noticedMs ? 0 : aheadMs
}

/** The server's time to some seconds, ms since 1970, also on a device whose clock is wrong. */
export const serverDateNow = (): number => Date.now() + serverAheadMs
