import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { FileWindow, UnindexableError } from '../seekable/audio-packets.ts'
import { readWavFormat } from '../waveforms/measure-wav.ts'
import { openUnpadded, type UnpaddedFile } from './padded-tag.ts'

/** Tags before the samples of an RF64 file, with covers. */
const mostHeadBytes = 32 * 1024 * 1024

/**
 * Opens a file that the parser of tags would not read as it is: without the padding of its tag, the head of RF64 as RIFF, and
 * what has another extension than its content. Null for any other file.
 */
export function openForParser(path: string, extension: string): UnpaddedFile | null {
  const changed = extension === '.wav' ? openRf64Head(path) : openUnpadded(path)
  if (changed || extname(path).toLowerCase() === extension) return changed
  const descriptor = openSync(path, 'r')
  return { size: fstatSync(descriptor).size, stream: createReadStream(path, { fd: descriptor, start: 0 }) }
}

/** The parser knows the chunks before the samples, but not RF64. */
function openRf64Head(path: string): UnpaddedFile | null {
  const descriptor = openSync(path, 'r')
  try {
    const file = new FileWindow(descriptor)
    const { isRf64, dataAt } = readWavFormat(file)
    if (!isRf64 || dataAt > mostHeadBytes) return null
    const head = Buffer.alloc(dataAt)
    readSync(descriptor, head, 0, dataAt, 0)
    head.write('RIFF', 'latin1')
    return { size: file.size, stream: Readable.from([head], { objectMode: false }) }
  } catch (error) {
    if (error instanceof UnindexableError || error instanceof RangeError) return null
    throw error
  } finally {
    closeSync(descriptor)
  }
}
