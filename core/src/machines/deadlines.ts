/** Returns the earliest of the deadlines that are set, in ms of the caller's clock; null without one. */
export function earliest<Name extends PropertyKey>(
  deadlines: Readonly<Record<Name, number | null>>,
): number | null {
  const times = Object.values<number | null>(deadlines).filter((atMs) => atMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** Returns whether a deadline is set and reached. */
export const isDue = (atMs: number | null, nowMs: number): boolean => atMs !== null && nowMs >= atMs
