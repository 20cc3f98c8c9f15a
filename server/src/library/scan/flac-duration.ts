import { closeSync, openSync } from 'node:fs'
import { FileWindow, UnindexableError } from '../seekable/audio-packets.ts'
import { readFlacPackets } from '../seekable/flac-packets.ts'

/**
 * Finds the duration of a FLAC file that states none, as encoders write that cannot go back to its start, in whole ms:
 * the sum of its frames. Reads the whole file, synchronously: for worker threads. Null without a frame.
 */
export function readFlacDuration(path: string): number | null {
  const descriptor = openSync(path, 'r')
  try {
    const { packets, timescale } = readFlacPackets(new FileWindow(descriptor))
    let samples = 0
    for (const packet of packets) samples += packet.duration
    return samples > 0 && timescale > 0 ? Math.round((samples * 1_000) / timescale) : null
  } catch (error) {
    if (error instanceof UnindexableError) return null
    throw error
  } finally {
    closeSync(descriptor)
  }
}
