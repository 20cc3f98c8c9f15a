import { closeSync, openSync } from 'node:fs'
import { FileWindow, UnindexableError } from '../seekable/audio-packets.ts'
import { readOggPackets } from '../seekable/ogg-packets.ts'

const pageMark = 'OggS'
const serialAt = 14
/** The longest page, and more than that: the last one begins within it. */
const tailBytes = 68 * 1024

/**
 * Finds the duration of an Ogg file in which streams are chained, in ms: each of them states only its own. Null for any
 * other file. Reads such a file whole. @throws UnindexableError where its packets cannot be read
 */
export function readChainedOgg(file: FileWindow, descriptor: number): number | null {
  const first = readSerial(Buffer.from(file.bytes(0, serialAt + 4)), 0)
  const tail = file.bytes(Math.max(0, file.size - tailBytes), tailBytes)
  const last = readSerial(tail, tail.lastIndexOf(pageMark, tail.length - serialAt - 4, 'latin1'))
  return first === null || last === null || first === last ? null : countPackets(descriptor)
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
  const { packets, timescale, skipped } = readOggPackets(new FileWindow(descriptor))
  let samples = -skipped
  for (const { duration } of packets) samples += duration
  return (samples * 1_000) / timescale
}

/** Returns the number of the stream to which a page belongs; null where there is none. */
function readSerial(bytes: Buffer, at: number): number | null {
  const isPage =
    at >= 0 && bytes.length >= at + serialAt + 4 && bytes.toString('latin1', at, at + 4) === pageMark
  return isPage ? bytes.readUInt32LE(at + serialAt) : null
}
