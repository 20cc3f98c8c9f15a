/**
 * Where a device is that says it only in steps, some ms apart and some late. It is known when it was told to run and at
 * what rates, so its position is reckoned from that, and what it says only places the reckoning. All in ms.
 */
export interface Playhead {
  /** The reckoning since the rate was changed last. */
  atMs: number
  reckonedMs: number
  rate: number
  /** By how much the latest readings were beyond the reckoning, oldest first. */
  offsets: readonly Offset[]
  /** Readings in a row that the others contradict: when there are enough of them, the device has jumped. */
  strays: readonly Offset[]
}

interface Offset {
  atMs: number
  aheadMs: number
}

/** Steps come 10 to 25 ms apart: within this the mean of a few of them is good to half a millisecond. */
const windowMs = 1_000
/** A reading that is further off belongs to no step. */
const toleranceMs = 25
const straysUntilJump = 4

/** A device that begins to move at a position, at an instant. */
export function startPlayhead(atMs: number, positionMs: number, rate: number): Playhead {
  return { atMs, reckonedMs: positionMs, rate, offsets: [], strays: [] }
}

/** The playhead at another rate from an instant on. */
export function changePlayheadRate(head: Playhead, atMs: number, rate: number): Playhead {
  return { ...head, atMs, reckonedMs: reckon(head, atMs), rate }
}

/** The playhead with one more reading. */
export function addPosition(head: Playhead, atMs: number, positionMs: number): Playhead {
  const offset = { atMs, aheadMs: positionMs - reckon(head, atMs) }
  if (head.offsets.length > 0 && Math.abs(offset.aheadMs - meanOf(head.offsets)) > toleranceMs) {
    const strays = [...head.strays, offset]
    return strays.length < straysUntilJump ? { ...head, strays } : { ...head, offsets: strays, strays: [] }
  }
  const recent = head.offsets.filter((earlier) => atMs - earlier.atMs < windowMs)
  return { ...head, offsets: [...recent, offset], strays: [] }
}

/** Where the device is at an instant, by all that is known. */
export function playheadAt(head: Playhead, atMs: number): number {
  return reckon(head, atMs) + meanOf(head.offsets)
}

const reckon = (head: Playhead, atMs: number): number => head.reckonedMs + (atMs - head.atMs) * head.rate

const meanOf = (offsets: readonly Offset[]): number =>
  offsets.reduce((sum, { aheadMs }) => sum + aheadMs, 0) / Math.max(1, offsets.length)
