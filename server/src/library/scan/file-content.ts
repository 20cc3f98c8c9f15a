import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { audioMimeType } from '../file-types.ts'
import { type AudioTags, readAudioTags } from './audio-tags.ts'
import { measureAudio } from './durations/measured-duration.ts'
import { tagsFromFolders } from './folder-tags.ts'
import type { AudioFile } from './music-folder.ts'
import { UnreadableAudioError } from './unreadable-audio.ts'

/** The content of a file, whatever its name. */
export interface FileContent {
  fingerprint: string
  mimeType: string
  tags: AudioTags
}

const blockBytes = 64 * 1024

/**
 * Computes the fingerprint of a file from its size and a block at its start, middle and end. It survives renames and
 * moves, and costs three reads whatever the file's length. The middle block tells apart uncompressed files of one
 * length that start and end in silence.
 */
export async function fingerprintFile(path: string, size: number): Promise<string> {
  const hash = createHash('sha256').update(`${size}\n`)
  const starts = new Set([0, Math.floor(size / 2), Math.max(0, size - blockBytes)])
  await using file = await open(path)
  const block = Buffer.alloc(Math.min(blockBytes, size))
  for (const start of starts) {
    const { bytesRead } = await file.read(block, 0, block.length, start)
    hash.update(block.subarray(0, bytesRead))
  }
  return hash.digest('base64url').slice(0, 22)
}

/** Reads an audio file. Throws as `readAudioTags` does. */
export async function readContent(musicDir: string, { path, size }: AudioFile): Promise<FileContent> {
  if (size === 0) throw new UnreadableAudioError('The file is empty')
  const absolute = join(musicDir, path)
  const fingerprint = await fingerprintFile(absolute, size)
  const measured = measureAudio(absolute)
  const mimeType = audioMimeType(`audio${measured.extension}`) ?? 'application/octet-stream'
  const tags = tagsFromFolders(await readAudioTags(absolute, measured), path)
  return { fingerprint, mimeType, tags }
}
