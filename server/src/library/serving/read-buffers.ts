import { maxReadBytes } from './byte-source.ts'

/** Buffers of `maxReadBytes` that are used again: a new one for each range keeps the garbage collector busy. */
export interface ReadBuffers {
  /** Returns a buffer that nobody else has. Its content is that of an earlier read. */
  take(): Buffer
  /** Takes a buffer back. Nothing may read or write it any more. */
  put(buffer: Buffer): void
}

/** Keeps at most `maxKept` unused buffers. */
export function createReadBuffers(maxKept = 16): ReadBuffers {
  const unused: Buffer[] = []
  return {
    take: () => unused.pop() ?? Buffer.allocUnsafeSlow(maxReadBytes),
    put(buffer) {
      if (unused.length < maxKept) unused.push(buffer)
    },
  }
}
