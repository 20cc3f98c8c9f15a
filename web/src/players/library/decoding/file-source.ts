import { CustomSource } from 'mediabunny'
import type { RangeFile } from './range-file.ts'

/** What mediabunny reads: the bytes of a file from `offset` on. */
interface FilePart {
  bytes: Uint8Array
  view: DataView
  offset: number
}

const rf64 = [0x52, 0x46, 0x36, 0x34]

/**
 * Gives mediabunny exactly the bytes that it needs. Its own reader goes on from where it read before, over up to 128 kB that
 * nobody asked for: from a fragment's head to the middle of its sound, which is a second on a slow line.
 */
export class FileSource extends CustomSource {
  readonly #file: RangeFile
  #size: number | undefined
  /** Of RF64, whose `data` chunk states no length: with a size, mediabunny would look for chunks in the samples. */
  #hidesSize = false

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
    this.#hidesSize ||= start === 0 && rf64.every((byte, at) => bytes[at] === byte)
    return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: start }
  }
}
