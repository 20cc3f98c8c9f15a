import { closeSync, openSync } from 'node:fs'
import { FileWindow, playedTime, UnindexableError } from '../../seekable/audio-packets.ts'
import { readOggPackets } from '../../seekable/ogg-packets.ts'

const pageMark = 'OggS'
const positionAt = 6
const serialAt = 14
const lacingAt = 27
/** The longest page, and more than that: the last one begins within it. */
const tailBytes = 68 * 1024
/** Where pages are compared: of streams that were joined under one number, positions begin again between two of them. */
const comparedPlaces = 8
/** Encoders begin up to a few packets late. */
const toleratedStartMs = 50

/**
 * Finds the duration of an Ogg file whose last page does not tell it, in ms: one in which streams are chained, or
 * whose stream begins late, as that of a radio station. Null for any other file. Reads such a file whole.
 * @throws UnindexableError where its packets cannot be read
 */
export function readChainedOgg(file: FileWindow, descriptor: number): number | null {
  return isChained(file) || beginsLate(file) ? countPackets(descriptor) : null
}

function isChained(file: FileWindow): boolean {
  const first = readPage(file.bytes(0, lacingAt), 0)
  if (!first) return false
  let previous = first.position
  for (let place = 1; place <= comparedPlaces; place += 1) {
    const start = Math.floor((file.size * place) / comparedPlaces) - tailBytes
    const bytes = file.bytes(Math.max(0, start), tailBytes)
    const page = readPage(bytes, bytes.lastIndexOf(pageMark, bytes.length - lacingAt, 'latin1'))
    if (!page) continue
    // Elsewhere, other numbers are those of further streams at the same time.
    if (page.serial !== first.serial && place < comparedPlaces) continue
    if (page.serial !== first.serial || (page.position > 0n && page.position < previous)) return true
    if (page.position > previous) previous = page.position
  }
  return false
}

/** Whether the first position of a stream is later than the packets up to it last. */
function beginsLate(file: FileWindow): boolean {
  for (let at = 0; ;) {
    const head = Buffer.from(file.bytes(at, lacingAt + 255))
    const page = readPage(head, 0)
    if (!page) return false
    const lacing = head.subarray(lacingAt, lacingAt + (head[lacingAt - 1] ?? 0))
    at += lacingAt + lacing.length + lacing.reduce((sum, value) => sum + value, 0)
    if (page.position > 0n) return startMs(file, at, Number(page.position)) > toleratedStartMs
  }
}

/** Returns when a stream begins, by the position at an offset. */
function startMs(file: FileWindow, end: number, position: number): number {
  const { packets, timescale } = readOggPackets(file)
  let samples = 0
  for (const { duration, parts } of packets) {
    const [offset, length] = parts.at(-1) ?? [end, 0]
    if (offset + length > end) break
    samples += duration
  }
  return ((position - samples) * 1_000) / timescale
}

/** Finds the duration of an Ogg file that is damaged, in whole ms, by reading it whole; null where nothing in it plays. */
export function readDamagedOgg(path: string): number | null {
  const descriptor = openSync(path, 'r')
  try {
    const durationMs = Math.round(countPackets(descriptor))
    return durationMs > 0 ? durationMs : null
  } catch (error) {
    if (error instanceof UnindexableError) return null
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function countPackets(descriptor: number): number {
  const { packets, ...audio } = readOggPackets(new FileWindow(descriptor))
  let samples = 0
  for (const { duration } of packets) samples += duration
  return (playedTime(audio, samples).duration * 1_000) / audio.timescale
}

interface Page {
  /** Of its stream. */
  serial: number
  /** At its end, in samples; 0 of headers, -1 where no packet ends. */
  position: bigint
}

/** Reads the head of a page; null where there is none. */
function readPage(bytes: Buffer, at: number): Page | null {
  const isPage = at >= 0 && bytes.length >= at + lacingAt && bytes.toString('latin1', at, at + 4) === pageMark
  if (!isPage) return null
  return { serial: bytes.readUInt32LE(at + serialAt), position: bytes.readBigInt64LE(at + positionAt) }
}
