/**
 * The client's monotonic wall clock: milliseconds since the Unix epoch by the system clock at page load, from then
 * on by the monotonic one. Setting the system clock does not move it; `Date.now()` is never used for sync.
 */
export const wallNow = (): number => performance.timeOrigin + performance.now()
