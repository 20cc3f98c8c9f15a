/**
 * How a file is read: how much of it one request asks for, when the next one follows, and how much is kept ahead. Others
 * wait for the line meanwhile, so the time of a request is bounded.
 */

/** The unit in which bytes are fetched and kept, and what is asked for before the rate of the sound is known. */
export const blockBytes = 8 * 1024
const maxRequestBytes = 256 * 1024
const maxDistantBytes = 1024 * 1024
const leastBytes = 16 * 1024

/** Of sound: of a track that has not started, of one that plays on any line, and on one that carries more in passing. */
const startS = 0.25
const leastS = 0.5
const mostS = 2
/** An answer within this time allows a request of twice its size, which takes at most `slowMs`. */
const quickMs = 10
const slowMs = 20
/** From the request to its last byte: a slow line can deliver all bytes of an answer at once, too late. */
const slowAnswerMs = 100

/** The rate at which a file is read, and for which use. */
export interface Reading {
  /** Null before it is known. */
  bytesPerSecond: number | null
  isPlaying: boolean
}

/** Measurements of the line. */
export interface Line {
  /** The bytes that it carries in `slowMs`. */
  quickBytes: number
  /** From a request to the headers of its answer, ms. */
  waitMs: number
}

/**
 * Returns the bytes to ask for: of a track that plays half a second of sound, and up to two seconds where `quickBytes`
 * allow it. Each request waits for the line and back, so it brings twice the sound of that time besides: far from the
 * server, smaller ones would bring less than is played.
 */
export function sizeRequest({ bytesPerSecond, isPlaying }: Reading, { quickBytes, waitMs }: Line): number {
  if (bytesPerSecond === null) return blockBytes
  const allowed = isPlaying ? Math.min(mostS * bytesPerSecond, quickBytes) : 0
  const waitBytes = ((2 * waitMs) / 1_000) * bytesPerSecond
  const least = (isPlaying ? leastS : startS) * bytesPerSecond + waitBytes
  const most = Math.min(maxDistantBytes, maxRequestBytes + waitBytes)
  return Math.min(most, Math.max(leastBytes, least, allowed))
}

/** When the bytes of an answer arrived, ms: after its headers, and after the request. */
interface AnswerTimes {
  bodyMs: number
  totalMs: number
  /** No other request for the file was under way: behind one, the wait is not that of the distance. */
  isAlone: boolean
}

/** One late answer says little about the distance: it counts as at most this much more than twice the wait known so far. */
const nearMs = 20

/** Returns what is known of the line after an answer of some bytes. */
export function learnLine(line: Line, bytes: number, times: AnswerTimes): Line {
  const { bodyMs, totalMs, isAlone } = times
  const waitMs = Math.min(totalMs - bodyMs, isAlone ? 2 * line.waitMs + nearMs : line.waitMs)
  if (bodyMs > slowMs || totalMs > slowAnswerMs) return { quickBytes: 0, waitMs }
  return { quickBytes: bodyMs < quickMs ? Math.max(line.quickBytes, 2 * bytes) : line.quickBytes, waitMs }
}

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
interface FinishedRequest {
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
 * Returns how long to leave the line free for the clock's probes after a request, ms, once in a track: it cannot
 * settle while answers wait behind sound. 0 where the line is fast, hardly carries the sound, or too little is there
 * yet. `aheadS` counts from where the listener is.
 */
export function pauseForProbes({ aheadS, soundMs, tookMs }: FinishedRequest): number {
  const isNeeded = tookMs > slowRequestMs && soundMs >= leastPace * tookMs
  return isNeeded && aheadS >= aheadOfProbesS ? probesMs : 0
}

/** How much is kept ahead of a track that was decoded for its start only, and of one that plays. */
const aheadOfStart = { seconds: 10, maxBytes: 256 * 1024 }
const aheadOfPlaying = { seconds: 120, maxBytes: 24 * 1024 * 1024 }
/** A decoder's own read-ahead before it has to play: 40 packets. */
const decoderReadsS = 0.8

/** Returns how many bytes to keep ahead of the decoder. */
export function bytesAhead(isPlaying: boolean, bytesPerSecond: number): number {
  const { seconds, maxBytes } = isPlaying ? aheadOfPlaying : aheadOfStart
  const wanted = Math.min(maxBytes, seconds * bytesPerSecond)
  return isPlaying ? wanted : Math.max(0, wanted - decoderReadsS * bytesPerSecond)
}
