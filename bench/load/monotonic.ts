/**
 * Milliseconds of the machine's monotonic clock. All processes of one machine read the same clock, so that an instant
 * of one can be subtracted from an instant of another. Setting the system time does not affect it.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
