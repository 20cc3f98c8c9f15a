import { CustomSource } from 'mediabunny'
import type { RangeFile } from './range-file.ts'

/** The result of a read by mediabunny: the bytes of a file from `offset` on. */
interface FilePart {
  bytes: Uint8Array
  view: DataView
  offset: number
}

const riff = 0x52494646
const rf64 = 0x52463634
/** Chunks of tags, by their ids: LIST, id3 and ID3. */
const tagChunks = new Set([0x4c495354, 0x69643320, 0x49443320])
const chunkHeadBytes = 8

/**
 * Gives mediabunny exactly the bytes that it needs. Its own reader goes on from where it read before, over up to 128 kB that
 * nobody asked for: from a fragment's head to the middle of its sound, which is a second on a slow line.
 */
export class FileSource extends CustomSource {
  readonly #file: RangeFile
  #size: number | undefined
  /** Of RF64, whose `data` chunk states no length: with a size, mediabunny would look for chunks in the samples. */
  #hidesSize = false
  #isRiff = false

  constructor(file: RangeFile) {
    super({
      getSize: () => file.size(),
      read: (start, end) => file.read(start, end),
      dispose: () => file.close(),
      handleUnhandledError: () => undefined, // The next read throws the same error
    })
    this.#file = file
  }

  /** Overrides mediabunny's own. Undefined before the first read, null where it is not to be known. */
  _getFileSize(): number | null | undefined {
    return this.#hidesSize ? null : this.#size
  }

  /** Overrides mediabunny's own, which calls it for all it reads. Resolves to null beyond the end of the file. */
  async _read(start: number, end: number): Promise<FilePart | null> {
    this.#size ??= await this.#file.size()
    if (end > this.#size) return null
    const bytes = await this.#file.read(start, end)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (start === 0 && end > 3) {
      this.#hidesSize = view.getUint32(0) === rf64
      this.#isRiff = this.#hidesSize || view.getUint32(0) === riff
    }
    // mediabunny skips chunks that it does not know; it would read tags whole, with the covers in them.
    if (this.#isRiff && bytes.length === chunkHeadBytes && tagChunks.has(view.getUint32(0))) bytes[0] = 0
    return { bytes, view, offset: start }
  }
}
