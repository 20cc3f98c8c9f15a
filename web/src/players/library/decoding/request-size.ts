/** How much of a file one request asks for. Others wait for the line meanwhile, so its time is bounded. */

/** The unit in which bytes are fetched and kept, and what is asked for before the rate of the sound is known. */
export const blockBytes = 8 * 1024
export const maxRequestBytes = 256 * 1024
const leastBytes = 16 * 1024

/** Of sound: of a track that has not started, of one that plays on any line, and on one that carries more in passing. */
const startS = 0.25
const leastS = 0.5
const mostS = 2
/** What arrives within this time may be asked for in twice the size, which takes at most `slowMs`. */
const quickMs = 10
const slowMs = 20
/** From the request to its last byte: a slow line can deliver all bytes of an answer at once, too late. */
const slowAnswerMs = 100

/** What is read of a file, and how fast. */
export interface Reading {
  /** Null before it is known. */
  bytesPerSecond: number | null
  isPlaying: boolean
}

/**
 * Returns the bytes to ask for: of a track that plays half a second of sound, and up to two seconds where `quickBytes`
 * allow it.
 */
export function sizeRequest({ bytesPerSecond, isPlaying }: Reading, quickBytes: number): number {
  if (bytesPerSecond === null) return blockBytes
  const allowed = isPlaying ? Math.min(mostS * bytesPerSecond, quickBytes) : 0
  const least = (isPlaying ? leastS : startS) * bytesPerSecond
  return Math.min(maxRequestBytes, Math.max(leastBytes, least, allowed))
}

/** When the bytes of an answer arrived, ms: after its headers, and after the request. */
export interface AnswerTimes {
  bodyMs: number
  totalMs: number
}

/** Returns the bytes that the line carries in `slowMs`, after an answer of some bytes. */
export function learnQuickBytes(quickBytes: number, bytes: number, times: AnswerTimes): number {
  if (times.bodyMs > slowMs || times.totalMs > slowAnswerMs) return 0
  return times.bodyMs < quickMs ? Math.max(quickBytes, 2 * bytes) : quickBytes
}
