import { BoundedMap } from '../../bounded-map.ts'
import { type ByteSource, maxReadBytes } from '../serving/byte-source.ts'
import type { FoundFile, OpenFiles } from '../serving/open-files.ts'
import type { IndexPiece, IndexTable } from './track-index.ts'

/** An index that was read, and where the bytes are to which its table refers. */
export interface Index extends IndexTable {
  file: FoundFile
  bytesAt: number
}

type Part = [offset: number, length: number]

/** The pieces whose places were read last: listeners of one track are mostly in few of them. */
const keptPieces = 8

/** Puts an MP4 file together from an index and the original file, as it is read. */
export function createMp4File(tag: string, index: Index, original: FoundFile, files: OpenFiles): ByteSource {
  const partsOf = createPartsCache(index, files)

  /** Reads bytes of one piece, counted from its start, into a buffer. */
  const readPiece = async (piece: IndexPiece, from: number, until: number, target: Buffer): Promise<void> => {
    const { boxesAt, boxesLength } = piece
    if (from < boxesLength) {
      const at = index.bytesAt + boxesAt
      await files.read(index.file, at + from, at + Math.min(until, boxesLength), target)
    }
    if (until <= boxesLength) return
    const wanted = cutParts(await partsOf(piece), Math.max(0, from - boxesLength), until - boxesLength)
    let at = Math.max(0, boxesLength - from)
    for (const group of groupParts(wanted)) {
      at += (await readParts(files, original, group, target.subarray(at))).length
    }
  }

  return {
    size: index.size,
    tag,
    async read(start, end, target) {
      const last = Math.min(end, start + maxReadBytes)
      const bytes = target?.subarray(0, last - start) ?? Buffer.allocUnsafe(last - start)
      for (let at = findPiece(index.pieces, start); at < index.pieces.length; at += 1) {
        const piece = index.pieces[at]
        if (!piece || piece.start >= last) break
        const [from, until] = [Math.max(start, piece.start), Math.min(last, piece.end)]
        await readPiece(piece, from - piece.start, until - piece.start, bytes.subarray(from - start))
      }
      return bytes
    },
  }
}

/** Finds the piece with a position, by bisection. */
function findPiece(pieces: readonly IndexPiece[], position: number): number {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((pieces[middle]?.end ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}

function createPartsCache(index: Index, files: OpenFiles): (piece: IndexPiece) => Promise<Part[]> {
  const kept = new BoundedMap<IndexPiece, Promise<Part[]>>(keptPieces)
  return (piece) => {
    const parts = kept.get(piece) ?? readPlaces(index, piece, files)
    kept.set(piece, parts)
    parts.catch(() => kept.delete(piece))
    return parts
  }
}

async function readPlaces(index: Index, piece: IndexPiece, files: OpenFiles): Promise<Part[]> {
  const at = index.bytesAt + piece.partsAt
  const pairs = await files.read(index.file, at, at + 8 * piece.partCount)
  return Array.from({ length: piece.partCount }, (_, part) => [
    pairs.readUInt32BE(8 * part),
    pairs.readUInt32BE(8 * part + 4),
  ])
}

/** Cuts parts down to the bytes `from` up to `until` of what they make together. */
function cutParts(parts: Part[], from: number, until: number): Part[] {
  const wanted: Part[] = []
  let at = 0
  for (const [offset, length] of parts) {
    const [begin, end] = [Math.max(0, from - at), Math.min(length, until - at)]
    if (begin < end) wanted.push([offset + begin, end - begin])
    at += length
  }
  return wanted
}

/** Groups neighbouring parts that are read at once, with what lies between them. */
function* groupParts(parts: Part[]): Generator<Part[]> {
  let group: Part[] = []
  for (const part of parts) {
    const [first] = group
    if (first && part[0] + part[1] - first[0] > maxReadBytes) {
      yield group
      group = []
    }
    group.push(part)
  }
  if (group.length > 0) yield group
}

/** Reads a group of parts into a buffer, and leaves out what lies between them. */
async function readParts(
  files: OpenFiles,
  original: FoundFile,
  group: Part[],
  target: Buffer,
): Promise<Buffer> {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return target.subarray(0, 0)
  const [start] = first
  const end = last[0] + last[1]
  if (group.length === 1) return files.read(original, start, end, target)
  const span = await files.read(original, start, end)
  let at = 0
  for (const [offset, length] of group) {
    at += span.copy(target, at, offset - start, offset - start + length)
  }
  return target.subarray(0, at)
}
