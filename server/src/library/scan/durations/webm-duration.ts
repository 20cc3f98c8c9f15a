import { open, type FileHandle } from 'node:fs/promises'
import { readSize, readUnsigned, vintLength } from '../../ebml.ts'

/** The ids of the WebM elements read here (RFC 9559; the encoding is EBML, RFC 8794). */
const ids = {
  timestampScale: 0x2ad7b1,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
  checksum: 0xbf,
}

const headBytes = 64 * 1024
/** The last cluster begins within this distance of the end; longer ones are not worth the memory. */
const tailBytes = 8 * 1024 * 1024
const defaultScaleNs = 1_000_000

/**
 * Finds the duration of a WebM file that states none, as recorders write them, in whole ms: the end of its last block,
 * which lasts as long as it says, or as the block before. Reads the file's head and end. Null without a block there.
 */
export async function readWebmDuration(path: string): Promise<number | null> {
  await using file = await open(path)
  const { size } = await file.stat()
  const head = await readBytes(file, 0, Math.min(size, headBytes))
  const tail = await readBytes(file, Math.max(0, size - tailBytes), Math.min(size, tailBytes))
  const [last, before] = lastBlocks(tail).toSorted((a, b) => b.time - a.time)
  if (!last) return null
  const ticks = last.time + (last.duration ?? last.time - (before?.time ?? last.time))
  const durationMs = Math.round((ticks * readScaleNs(head)) / 1_000_000)
  return durationMs > 0 ? durationMs : null
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

/** Returns the length of a timestamp's tick in ns. */
function readScaleNs(head: Buffer): number {
  const at = head.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]))
  const element = at < 0 ? null : readElement(head, at)
  return (element && readUnsigned(element.body)) || defaultScaleNs
}

/** In ticks. */
interface Block {
  time: number
  /** Null if not stated. */
  duration: number | null
}

/** Returns the complete blocks of the last cluster that has any. */
function lastBlocks(tail: Buffer): Block[] {
  const mark = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
  for (let at = tail.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(mark, at - 1)) {
    const cluster = readElement(tail, at)
    const blocks = cluster ? readBlocks(cluster.body) : []
    if (blocks.length > 0) return blocks
  }
  return []
}

/** The same bytes in the middle of a block are no cluster: a cluster begins with its timestamp, behind a checksum. */
function readBlocks(cluster: Buffer): Block[] {
  const start = readElement(cluster, 0)
  const first = start?.id === ids.checksum ? readElement(cluster, start.end) : start
  if (first?.id !== ids.clusterTimestamp || !first.isComplete) return []
  const startTime = readUnsigned(first.body)
  return readElements(cluster.subarray(first.end)).flatMap((element) => {
    const children = element.id === ids.blockGroup ? readElements(element.body) : [element]
    const block = children.find(({ id }) => id === ids.simpleBlock || id === ids.block)
    const offset = block ? readBlockOffset(block.body) : null
    if (offset === null) return []
    const duration = children.find(({ id }) => id === ids.blockDuration)
    return [{ time: startTime + offset, duration: duration ? readUnsigned(duration.body) : null }]
  })
}

/** Returns a block's time relative to its cluster, which follows the track number. */
function readBlockOffset(block: Buffer): number | null {
  const trackLength = vintLength(block[0] ?? 0)
  return block.length < trackLength + 2 ? null : block.readInt16BE(trackLength)
}

/** Returns the complete elements, in order. */
function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = []
  let element = readElement(bytes, 0)
  while (element?.isComplete) {
    elements.push(element)
    element = readElement(bytes, element.end)
  }
  return elements
}

interface Element {
  id: number
  body: Buffer
  /** False for an element that is cut off, and for one of unknown size. */
  isComplete: boolean
  /** The position of the next element. */
  end: number
}

/** Reads the element at a position. Null where there is none. One of unknown size extends to the end. */
function readElement(bytes: Buffer, at: number): Element | null {
  const idLength = vintLength(bytes[at] ?? 0)
  const sizeAt = at + idLength
  const sizeLength = vintLength(bytes[sizeAt] ?? 0)
  const bodyAt = sizeAt + sizeLength
  if (idLength > 4 || sizeLength > 8 || bodyAt > bytes.length) return null
  const size = readSize(bytes.subarray(sizeAt, bodyAt))
  const end = size === null ? bytes.length : bodyAt + size
  return {
    id: readUnsigned(bytes.subarray(at, sizeAt)),
    body: bytes.subarray(bodyAt, Math.min(end, bytes.length)),
    isComplete: size !== null && end <= bytes.length,
    end,
  }
}
