/** How much of a file one request asks for. Others wait for the line meanwhile, so its time is bounded. */

/** The unit in which bytes are fetched and kept. */
export const blockBytes = 16 * 1024
export const maxRequestBytes = 256 * 1024

/** Of sound: on any line, and on one that carries more in passing. */
const leastS = 0.5
const mostS = 2
/** What arrives within this time may be asked for in twice the size, which takes at most `slowMs`. */
const quickMs = 10
const slowMs = 20

/** Returns the bytes to ask for: half a second of sound, and up to two seconds where `quickBytes` allow it. */
export function sizeRequest(bytesPerSecond: number, quickBytes: number): number {
  const allowed = Math.min(mostS * bytesPerSecond, quickBytes)
  return Math.min(maxRequestBytes, Math.max(blockBytes, leastS * bytesPerSecond, allowed))
}

/** Returns the bytes that the line carries in `slowMs`, after some of them took `tookMs` to arrive. */
export function learnQuickBytes(quickBytes: number, bytes: number, tookMs: number): number {
  if (tookMs > slowMs) return 0
  return tookMs < quickMs ? Math.max(quickBytes, 2 * bytes) : quickBytes
}
