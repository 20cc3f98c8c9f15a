/** Bytes that can be read at any position. */
export interface ByteSource {
  size: number
  /** Identifies the bytes, also across restarts. */
  tag: string
  /** ms since the epoch; absent for bytes that are put together. */
  modifiedMs?: number
  /**
   * Reads from `start` up to `end`, at most `maxReadBytes` of them, into `target` where one of that length is given.
   * Resolves to the bytes. Rejects if they are gone.
   */
  read(start: number, end: number, target?: Buffer): Promise<Uint8Array>
}

/** The most that is held in memory for a reader. */
export const maxReadBytes = 256 * 1024

/** Buffers of `maxReadBytes` that are used again: a new one for each range keeps the garbage collector busy. */
interface ReadBuffers {
  /** Returns a buffer that nobody else has. Its content is that of an earlier read. */
  take(): Buffer
  /** Takes a buffer back. Nothing may read or write it any more. */
  put(buffer: Buffer): void
}

const unusedMax = 16

export function createReadBuffers(): ReadBuffers {
  const unused: Buffer[] = []
  return {
    take: () => unused.pop() ?? Buffer.allocUnsafeSlow(maxReadBytes),
    put(buffer) {
      if (unused.length < unusedMax) unused.push(buffer)
    },
  }
}
