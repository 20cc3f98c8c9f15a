import { readSync } from 'node:fs'

/** Reads a part of a file, synchronously: for worker threads. It is shorter where the file ends before. */
export function readAt(descriptor: number, offset: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset))
}
