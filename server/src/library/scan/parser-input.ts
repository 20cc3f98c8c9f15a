import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { FileWindow, UnindexableError } from '../seekable/audio-packets.ts'
import { findOpenCluster } from '../seekable/matroska-packets.ts'
import { readWavFormat } from '../waveforms/measure-wav.ts'
import { openUnpadded, type UnpaddedFile } from './padded-tag.ts'

/** Bounds the tags and covers before the sound, in RF64 and in recordings. */
const mostHeadBytes = 32 * 1024 * 1024

/**
 * Opens a file that the parser of tags would not read as it is: without the padding of its tag, the head of RF64 as
 * RIFF, that of a recording in WebM, and what has another extension than its content. Null for any other file.
 */
export function openForParser(path: string, extension: string): UnpaddedFile | null {
  const changed = (headOpeners.get(extension) ?? openUnpadded)(path)
  if (changed || extname(path).toLowerCase() === extension) return changed
  const descriptor = openSync(path, 'r')
  return { size: fstatSync(descriptor).size, stream: createReadStream(path, { fd: descriptor, start: 0 }) }
}

const headOpeners = new Map([
  ['.wav', openRf64Head],
  ['.webm', openRecordingHead],
  ['.mka', openRecordingHead],
])

/** The parser knows the chunks before the samples, but not RF64. */
function openRf64Head(path: string): UnpaddedFile | null {
  return openHead(path, (file, read) => {
    const { isRf64, dataAt } = readWavFormat(file)
    if (!isRf64) return null
    const head = read(dataAt)
    head?.write('RIFF', 'latin1')
    return head && { head, size: file.size }
  })
}

/** The parser fails on a cluster that states no size. */
function openRecordingHead(path: string): UnpaddedFile | null {
  return openHead(path, (file, read) => {
    const clusterAt = findOpenCluster(file)
    const head = clusterAt === null ? null : read(clusterAt)
    return head && { head, size: head.length }
  })
}

/** Reads the start of the file; null where it is too long to be read. */
type ReadHead = (length: number) => Buffer | null

/** Gives the parser the start of a file in place of the file. Null where `choose` finds that it reads the file itself. */
function openHead(
  path: string,
  choose: (file: FileWindow, read: ReadHead) => { head: Buffer; size: number } | null,
): UnpaddedFile | null {
  const descriptor = openSync(path, 'r')
  const read: ReadHead = (length) => {
    if (length > mostHeadBytes) return null
    const head = Buffer.alloc(length)
    readSync(descriptor, head, 0, length, 0)
    return head
  }
  try {
    const chosen = choose(new FileWindow(descriptor), read)
    return chosen && { size: chosen.size, stream: Readable.from([chosen.head], { objectMode: false }) }
  } catch (error) {
    if (error instanceof UnindexableError || error instanceof RangeError) return null
    throw error
  } finally {
    closeSync(descriptor)
  }
}
