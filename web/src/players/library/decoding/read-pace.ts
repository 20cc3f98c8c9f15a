/** While less is ahead of the decoder, s, the next request follows at once. */
const urgentS = 1
/** From here on requests take at most half of the time, whatever the line. */
const unhurriedS = 5
/** From here on reading is paced. */
const pacedS = 10
/** How much faster than playing reading stays before `unhurriedS`, and gets at most from `pacedS` on. */
const leastPace = 1.5
const mostPace = 2.5

/** A request that has been answered. */
export interface FinishedRequest {
  /** How much sound was ahead of the decoder before it, s. */
  aheadS: number
  /** The sound that it brought, and the time that it took, ms. */
  soundMs: number
  tookMs: number
}

/**
 * Returns how long reading ahead leaves the line free after a request, ms: as long as it took, so that clock probes find
 * a free line, but a line that hardly carries the sound is used whole until some seconds are there.
 */
export function restAfter({ aheadS, soundMs, tookMs }: FinishedRequest): number {
  if (aheadS < urgentS) return 0
  if (aheadS < unhurriedS) return Math.max(0, Math.min(tookMs, soundMs / leastPace - tookMs))
  const pacedMs = aheadS < pacedS ? 0 : soundMs / mostPace - tookMs
  return Math.max(tookMs, pacedMs)
}
