import { limits } from '../limits.ts'

/**
 * The position in ms of a playing track for which there is only a sender's timestamp, on a clock that nobody compared
 * with one's own: the time that passed plus an allowance for the network, where it is between 0 and 10 s; otherwise
 * the position as it was sent (9.13).
 */
export function estimatePosition(positionMs: number, timestampMs: number, nowMs: number): number {
  const elapsedMs = nowMs - timestampMs
  const isPlausible = elapsedMs >= 0 && elapsedMs <= limits.driftElapsedMaxMs
  return isPlausible ? positionMs + elapsedMs + limits.driftAllowanceMs : positionMs
}
