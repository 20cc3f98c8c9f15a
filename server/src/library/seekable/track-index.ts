import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { threadId } from 'node:worker_threads'
import { contentExtension } from '../content-extension.ts'
import { readAdtsPackets } from './adts-packets.ts'
import {
  type AudioPacket,
  type AudioPackets,
  FileWindow,
  playedTime,
  UnindexableError,
} from './audio-packets.ts'
import { readFlacPackets } from './flac-packets.ts'
import {
  type Fragment,
  type FragmentPlace,
  fragmentBoxes,
  headBoxes,
  randomAccessBoxes,
  segmentIndexBox,
  segmentIndexLength,
} from './fragment-boxes.ts'
import { u32 } from './mp4-boxes.ts'
import { readMatroskaPackets } from './matroska-packets.ts'
import { readMp3Packets } from './mp3-packets.ts'
import { readMp4Packets } from './mp4-packets.ts'
import { readOggPackets } from './ogg-packets.ts'

/**
 * A track's index: the boxes that make its file a fragmented MP4 file, and where its audio is in the file. It is stored
 * as the length of a JSON text, the text (`IndexTable`), and the bytes to which the table refers.
 */
export interface IndexTable {
  /** In bytes, of the MP4 file. */
  size: number
  pieces: IndexPiece[]
}

/** Boxes, and the parts of the original file that follow them in the MP4 file. */
export interface IndexPiece {
  /** In the MP4 file. */
  start: number
  end: number
  /** In the bytes after the table. */
  boxesAt: number
  boxesLength: number
  /** Pairs of 32 bit numbers: offset and length in the original file, ascending. */
  partsAt: number
  partCount: number
}

/** Changes with the format of the index, so that older ones are not used. */
const indexVersion = 5

const readers = new Map([
  ['.mp3', readMp3Packets],
  ['.aac', readAdtsPackets],
  ['.flac', readFlacPackets],
  ['.m4a', readMp4Packets],
  ['.m4b', readMp4Packets],
  ['.opus', readOggPackets],
  ['.ogg', readOggPackets],
  ['.oga', readOggPackets],
  ['.webm', readMatroskaPackets],
  ['.mka', readMatroskaPackets],
])

/** Returns whether files of this name can have an index. Of the others, players find positions without one. */
export const isIndexable = (path: string): boolean => readers.has(extname(path).toLowerCase())

/** Offsets take 32 bits. */
const maxFileBytes = 2 ** 32 - 1
const fragmentS = 10
/** Parts of the original that lie further apart are read as two. */
const maxPieceSpread = 4

/** A file that has no index, and why: stored as well, so that it is not read again. */
export interface NoIndex {
  reason: string
}

/** Returns the name of a file's index. A file that changes gets another size or time, and so another index. */
export function indexNameOf(
  path: string,
  { size, modifiedMs }: { size: number; modifiedMs: number },
): string {
  const identity = [indexVersion, path, size, Math.floor(modifiedMs)].join('\n')
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

/**
 * Reads a file once and writes its index, or why it has none. Synchronous, and takes up to seconds: for a worker thread.
 */
export function writeIndex(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const draft = `${target}.${process.pid}.${threadId}.draft`
  writeFileSync(draft, readIndex(path))
  renameSync(draft, target)
}

function readIndex(path: string): Buffer {
  try {
    return buildFileIndex(path)
  } catch (error) {
    // A RangeError comes from reading behind the end of a damaged file.
    if (!(error instanceof UnindexableError) && !(error instanceof RangeError)) throw error
    return toBytes({ reason: error.message }, [])
  }
}

/** @throws UnindexableError where the file has no audio that can be indexed */
function buildFileIndex(path: string): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const file = new FileWindow(descriptor)
    const read = readers.get(contentExtension(file, path))
    if (!read) throw new UnindexableError('Files of this type have no index')
    if (file.size > maxFileBytes) throw new UnindexableError('The file is larger than 4 GB')
    return buildIndex(read(file))
  } finally {
    closeSync(descriptor)
  }
}

interface LocatedFragment extends Fragment {
  parts: [number, number][]
}

function buildIndex(audio: AudioPackets): Buffer {
  const fragments = [...cutFragments(audio)]
  const last = fragments.at(-1)
  if (!last) throw new UnindexableError('There is no audio')
  const { endTime } = playedTime(audio, last.startTime + durationOf(last))
  endAt(fragments, endTime)
  const head = headBoxes(audio, endTime)
  const boxes = fragments.map((fragment, index) => fragmentBoxes(fragment, index + 1))

  const places: FragmentPlace[] = []
  let offset = head.length + segmentIndexLength(fragments.length)
  for (const [index, fragment] of fragments.entries()) {
    const length = (boxes[index]?.length ?? 0) + fragment.bytes
    places.push({ startTime: fragment.startTime, duration: durationOf(fragment), offset, length })
    offset += length
  }

  const index = new IndexWriter()
  index.add(Buffer.concat([head, segmentIndexBox(audio.timescale, places)]), [])
  for (const [at, { parts }] of fragments.entries()) index.add(boxes[at] ?? Buffer.alloc(0), parts)
  index.add(randomAccessBoxes(places), [])
  return index.toBytes()
}

const durationOf = ({ durations }: Fragment): number => durations.reduce((sum, duration) => sum + duration, 0)

/** Shortens the last packets, so that the track ends where its sound does. */
function endAt(fragments: Fragment[], endTime: number): void {
  for (const { startTime, durations } of fragments.slice(-2)) {
    let left = Math.max(0, endTime - startTime)
    for (const [index, duration] of durations.entries()) {
      durations[index] = Math.min(duration, left)
      left -= durations[index]
    }
  }
}

/** Groups packets into fragments of ten seconds, or less before something that is no audio. */
function* cutFragments({ timescale, packets }: AudioPackets): Generator<LocatedFragment> {
  let time = 0
  let fragment = emptyFragment(time)
  for (const packet of packets) {
    if (packet.followsGap && fragment.sizes.length > 0) {
      yield fragment
      fragment = emptyFragment(time)
    }
    addPacket(fragment, packet)
    time += packet.duration
    if (time - fragment.startTime < fragmentS * timescale) continue
    yield fragment
    fragment = emptyFragment(time)
  }
  if (fragment.sizes.length > 0) yield fragment
}

const emptyFragment = (startTime: number): LocatedFragment => ({
  startTime,
  durations: [],
  sizes: [],
  bytes: 0,
  parts: [],
})

function addPacket(fragment: LocatedFragment, { duration, parts }: AudioPacket): void {
  const size = parts.reduce((sum, [, length]) => sum + length, 0)
  fragment.durations.push(duration)
  fragment.sizes.push(size)
  fragment.bytes += size
  for (const [offset, length] of parts) {
    const last = fragment.parts.at(-1)
    if (last && last[0] + last[1] > offset) throw new UnindexableError('The audio is not in order')
    if (last && last[0] + last[1] === offset) last[1] += length
    else fragment.parts.push([offset, length])
  }
  const [first] = fragment.parts
  const end = fragment.parts.at(-1)
  if (first && end && end[0] + end[1] - first[0] > maxPieceSpread * fragment.bytes + 2 ** 16) {
    throw new UnindexableError('The audio is scattered over the file')
  }
}

class IndexWriter {
  readonly #pieces: IndexPiece[] = []
  readonly #chunks: Buffer[] = []
  #length = 0
  #size = 0

  add(boxes: Buffer, parts: [number, number][]): void {
    const bytes = parts.reduce((sum, [, length]) => sum + length, boxes.length)
    const [boxesAt, partsAt] = [this.#store(boxes), this.#store(u32(...parts.flat()))]
    const [start, end] = [this.#size, this.#size + bytes]
    this.#pieces.push({ start, end, boxesAt, boxesLength: boxes.length, partsAt, partCount: parts.length })
    this.#size = end
  }

  toBytes(): Buffer {
    return toBytes({ size: this.#size, pieces: this.#pieces }, this.#chunks)
  }

  #store(bytes: Buffer): number {
    const at = this.#length
    this.#chunks.push(bytes)
    this.#length += bytes.length
    return at
  }
}

function toBytes(table: IndexTable | NoIndex, chunks: Buffer[]): Buffer {
  const text = Buffer.from(JSON.stringify(table))
  return Buffer.concat([u32(text.length), text, ...chunks])
}
