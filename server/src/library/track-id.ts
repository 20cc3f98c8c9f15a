import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const blockBytes = 64 * 1024

/**
 * The id of an audio file: a hash of its size and of a block at its beginning, middle and end. It follows the
 * file through renames and moves and costs three reads whatever the file's length. The middle is there for
 * uncompressed files of one length that begin and end in silence.
 */
export async function identifyTrack(path: string, size: number): Promise<string> {
  const hash = createHash('sha256').update(`${size}\n`)
  const starts = new Set([0, Math.floor(size / 2), Math.max(0, size - blockBytes)])
  await using file = await open(path)
  const block = Buffer.alloc(Math.min(blockBytes, size))
  for (const start of starts) {
    const { bytesRead } = await file.read(block, 0, block.length, start)
    hash.update(block.subarray(0, bytesRead))
  }
  return `lib_${hash.digest('base64url').slice(0, 22)}`
}
