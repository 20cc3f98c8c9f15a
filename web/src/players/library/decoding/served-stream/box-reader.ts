import type { RangeFile } from '../range-file.ts'
import { UndecodableError } from '../undecodable-error.ts'

/** Reads boxes of the ISO base media file format (ISO/IEC 14496-12). Reading beyond the end of one throws a RangeError. */

/** A box's type and what follows its header: of a full box first its version and flags, in four bytes (4.2). */
interface Box {
  type: string
  body: DataView
}

/** The length and the type. No box of a stream has a length of 64 bits, or lasts to the end of the file. */
const boxHeadBytes = 8

/** Reads the type of a box of a file, and where it ends. @throws UndecodableError where that is beyond the file */
export async function readBoxHead(file: RangeFile, at: number): Promise<{ type: string; end: number }> {
  const size = await file.size()
  if (at < 0 || at + boxHeadBytes > size) throw new UndecodableError('A box is not in the file')
  const head = viewOf(await file.read(at, at + boxHeadBytes))
  const end = at + head.getUint32(0)
  if (end < at + boxHeadBytes || end > size) throw new UndecodableError('A box has an impossible length')
  return { type: readType(head, 4), end }
}

/** Reads a box of a file. @throws UndecodableError where it is of another type, or longer than `mostBytes` */
export async function readBox(
  file: RangeFile,
  at: number,
  { type, mostBytes }: { type: string; mostBytes: number },
): Promise<{ body: DataView; end: number }> {
  const head = await readBoxHead(file, at)
  if (head.type !== type) throw new UndecodableError(`There is a box ${head.type} in place of ${type}`)
  if (head.end - at > mostBytes) throw new UndecodableError(`The box ${type} is too long`)
  return { body: viewOf(await file.read(at + boxHeadBytes, head.end)), end: head.end }
}

/** Lists the boxes in a box, up to where none begins: some writers end with four bytes of 0. */
function* listBoxes(view: DataView): Generator<Box, void> {
  for (let at = 0; at + boxHeadBytes <= view.byteLength;) {
    const length = view.getUint32(at)
    if (length < boxHeadBytes) return
    yield { type: readType(view, at + 4), body: partOf(view, at + boxHeadBytes, at + length) }
    at += length
  }
}

/** Finds a box by the types on the way to it; null without it. */
export function findBox(view: DataView, ...[type, ...rest]: string[]): DataView | null {
  for (const box of listBoxes(view)) {
    if (box.type === type) return rest.length > 0 ? findBox(box.body, ...rest) : box.body
  }
  return null
}

/** Finds a box by the types on the way to it. @throws UndecodableError without it */
export function requireBox(view: DataView, ...path: string[]): DataView {
  const found = findBox(view, ...path)
  if (!found) throw new UndecodableError(`There is no box ${path.join('/')}`)
  return found
}

/** Reads a number of 64 bits, exact up to 2^53. */
export const readUint64 = (view: DataView, at: number): number =>
  view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)

export const readType = (view: DataView, at: number): string =>
  String.fromCharCode(...bytesOf(view).subarray(at, at + 4))

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const bytesOf = (view: DataView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

/** Returns the bytes from `from` up to, not including, `end`. @throws RangeError beyond the end */
export function partOf(view: DataView, from: number, end = view.byteLength): DataView {
  // Of itself, a view is bounded by its buffer only, in which others follow.
  if (end > view.byteLength) throw new RangeError('A box ends beyond the one around it')
  return new DataView(view.buffer, view.byteOffset + from, end - from)
}
