/** Returns the earliest of the deadlines that are set, in ms of the caller's clock; null without one. */
export function earliest<Name extends string>(
  deadlines: Readonly<Record<Name, number | null>>,
): number | null {
  const times = Object.values<number | null>(deadlines).filter((atMs) => atMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}
