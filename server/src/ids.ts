import { createHash, randomBytes } from 'node:crypto'

const idBytes = 12
const timeDigits = 9
const counterDigits = 3
const counterSize = 36 ** counterDigits
const randomDigits = 6

/** Creates a random id: 96 bits as 16 URL-safe characters. None begins with a hyphen, as the options of commands do. */
export function newId(): string {
  const id = randomBytes(idBytes).toString('base64url')
  return id.startsWith('-') ? newId() : id
}

/** Derives an id from what names a request, so that the same request makes the same id wherever it arrives. */
export function deriveId(...names: string[]): string {
  const hash = createHash('sha256').update(names.join('\n'))
  return hash.digest('base64url').replace(/^-+/, '').slice(0, 22)
}

let latest = { timeMs: 0, counter: 0 }

/**
 * Creates an id that sorts by time. Ids of one process strictly increase, also within a millisecond and after the
 * clock was set back. Ids of different processes sort by their clocks.
 */
export function newSortableId(nowMs: number): string {
  const timeMs = Math.floor(nowMs)
  if (timeMs > latest.timeMs) latest = { timeMs, counter: 0 }
  else if (latest.counter + 1 < counterSize) latest = { ...latest, counter: latest.counter + 1 }
  else latest = { timeMs: latest.timeMs + 1, counter: 0 }
  const random = randomBytes(4).readUInt32BE() % 36 ** randomDigits
  return (
    toDigits(latest.timeMs, timeDigits) +
    toDigits(latest.counter, counterDigits) +
    toDigits(random, randomDigits)
  )
}

/** Returns what sorts before the sortable ids of a time, and after those of earlier times. */
export const sortableIdsFrom = (ms: number): string => toDigits(Math.floor(ms), timeDigits)

function toDigits(value: number, count: number): string {
  return value.toString(36).padStart(count, '0')
}
