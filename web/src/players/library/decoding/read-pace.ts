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
  /** How much sound was ahead before it, of the decoder where nothing else is said, s. */
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

/** A request that took longer than this delays clock probes noticeably. */
const slowRequestMs = 60
/** Sound that must be ahead of the listener before the line is left free for the clock, s. */
const aheadOfProbesS = 1.5
/** As long as three probes of an unsettled clock take. */
const probesMs = 250

/**
 * Returns how long to leave the line free for the clock's probes after a request, ms, once in a track: it cannot settle while
 * answers wait behind sound. 0 where the line is fast, hardly carries the sound, or too little is there yet. `aheadS` counts
 * from where the listener is.
 */
export function pauseForProbes({ aheadS, soundMs, tookMs }: FinishedRequest): number {
  const isNeeded = tookMs > slowRequestMs && soundMs >= leastPace * tookMs
  return isNeeded && aheadS >= aheadOfProbesS ? probesMs : 0
}

/** How much is kept ahead of a track that was decoded for its start only, and of one that plays. */
const aheadOfStart = { seconds: 10, maxBytes: 256 * 1024 }
const aheadOfPlaying = { seconds: 120, maxBytes: 24 * 1024 * 1024 }
/** What a decoder reads for itself before it has to play: 40 packets. */
const decoderReadsS = 0.8

/** Returns how many bytes to keep ahead of the decoder. */
export function bytesAhead(isPlaying: boolean, bytesPerSecond: number): number {
  const { seconds, maxBytes } = isPlaying ? aheadOfPlaying : aheadOfStart
  const wanted = Math.min(maxBytes, seconds * bytesPerSecond)
  return isPlaying ? wanted : Math.max(0, wanted - decoderReadsS * bytesPerSecond)
}
