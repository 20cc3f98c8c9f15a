import { closeSync, openSync } from 'node:fs'
import { extname } from 'node:path'
import { contentExtension } from '../content-extension.ts'
import { FileWindow, UnindexableError } from '../seekable/audio-packets.ts'
import { createPartLevels, type PartLevels } from './part-levels.ts'
import { measureWav, wavDurationS } from './measure-wav.ts'
import { type PacketFormat, packetFormats } from './packet-decoders.ts'
import { chooseRuns } from './runs.ts'

/** A minute of the largest format. */
const wavMaxBytes = 24 * 1024 * 1024
const wavExtension = '.wav'

/** Whether files of this name can have a waveform. */
export function hasWaveform(path: string): boolean {
  const extension = extname(path).toLowerCase()
  return extension === wavExtension || packetFormats.has(extension)
}

/**
 * Computes the waveform of an audio file: how loud each part of it is, from 0 to 255. Null where the file cannot be
 * decoded. Synchronous reads: for a worker thread. File system errors pass through.
 */
export async function measureFile(path: string, durationMs: number): Promise<number[] | null> {
  const descriptor = openSync(path, 'r')
  try {
    const file = new FileWindow(descriptor)
    const extension = contentExtension(file, path)
    if (extension === wavExtension) {
      const levels = createPartLevels(wavDurationS(file))
      measureWav(file, levels, wavMaxBytes)
      return levels.peaks()
    }
    const format = packetFormats.get(extension)
    if (!format) return null
    const levels = createPartLevels(durationMs / 1_000)
    await measurePackets(file, format, levels, durationMs / 1_000)
    return levels.peaks()
  } catch (error) {
    // A RangeError comes from reading behind the end of a damaged file.
    if (error instanceof UnindexableError || error instanceof RangeError) return null
    throw error
  } finally {
    closeSync(descriptor)
  }
}

async function measurePackets(
  file: FileWindow,
  format: PacketFormat,
  levels: PartLevels,
  durationS: number,
): Promise<void> {
  const audio = format.read(file)
  const decoder = await format.open(audio)
  try {
    for (const run of chooseRuns(audio.packets, { timescale: audio.timescale, durationS })) {
      const packets = run.packets.map(({ parts }) =>
        Buffer.concat(parts.map(([offset, length]) => Buffer.from(file.bytes(offset, length)))),
      )
      const { channelData, sampleRate } = await decoder.decode(packets, run.isContinued)
      const warmUp = run.isContinued || run.startS === 0 ? [] : run.packets.slice(0, format.warmUpPackets)
      const skippedS = warmUp.reduce((sum, packet) => sum + packet.duration, 0) / audio.timescale
      const skipped = Math.round(skippedS * sampleRate)
      const kept = channelData.map((samples) => samples.subarray(skipped))
      levels.add(kept, run.startS + skippedS, sampleRate)
    }
  } finally {
    decoder.free()
  }
}
