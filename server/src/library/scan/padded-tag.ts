import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { Readable } from 'node:stream'
import { id3v2LengthOf } from '../seekable/audio-packets.ts'
import { readAt } from './read-at.ts'

/** Padding up to this is left to the parser. */
const leastPadding = 64 * 1024
/** Zeros that may belong to the last frame of a tag. */
const keptZeros = 1024

/** A file without most of the padding of its tag. */
export interface UnpaddedFile {
  size: number
  stream: Readable
}

/**
 * Opens a file whose ID3v2 tag ends in long padding, without that padding; null for any other file. Programs leave
 * megabytes of it where they removed a cover. The parser would note a warning for every ten bytes: 200 MB of memory
 * for 5 MB.
 */
export function openUnpadded(path: string): UnpaddedFile | null {
  const descriptor = openSync(path, 'r')
  try {
    const tagLength = id3v2LengthOf(readAt(descriptor, 0, 10))
    const { size } = fstatSync(descriptor)
    if (tagLength <= leastPadding || tagLength > size) return null
    const contentEnd = findContentEnd(descriptor, tagLength)
    if (tagLength - contentEnd <= leastPadding) return null
    const tag = readAt(descriptor, 0, contentEnd + keptZeros)
    for (const [index, shift] of [21, 14, 7, 0].entries())
      tag[6 + index] = ((tag.length - 10) >> shift) & 0x7f
    return {
      size: size - (tagLength - tag.length),
      stream: Readable.from(chunksOf(path, tag, tagLength), { objectMode: false }),
    }
  } finally {
    closeSync(descriptor)
  }
}

async function* chunksOf(path: string, tag: Buffer, start: number): AsyncGenerator<Buffer> {
  yield tag
  yield* createReadStream(path, { start }) as AsyncIterable<Buffer>
}

/** Returns the offset after the last byte before an offset that is not zero. */
function findContentEnd(descriptor: number, before: number): number {
  for (let end = before; end > 0; end -= leastPadding) {
    const start = Math.max(0, end - leastPadding)
    const last = readAt(descriptor, start, end - start).findLastIndex((byte) => byte !== 0)
    if (last >= 0) return start + last + 1
  }
  return 0
}
