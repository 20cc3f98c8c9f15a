import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { trackArtPath } from '@earshot/core/protocol/http-api'
import { toDurationFields } from '@earshot/core/sync/duration'
import type { Track } from '@earshot/core/protocol/entities'
import type { LibraryFile } from '../../db/library-files.ts'
import { audioMimeType } from '../file-types.ts'
import { foldLines } from '../search-text.ts'
import { readAudioTags, type AudioTags } from './audio-tags.ts'
import type { AudioFile } from './music-folder.ts'

/** The rows of an audio file: its track and its place in the music folder. */
export interface FoundTrack {
  track: Track
  file: LibraryFile
}

const blockBytes = 64 * 1024

/**
 * Computes the track id of an audio file from its size and a block at its start, middle and end. The id survives
 * renames and moves, and costs three reads whatever the file's length. The middle block tells apart uncompressed files
 * of one length that start and end in silence.
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

/** Reads the tags of an audio file into rows for the catalogue. Throws as `readAudioTags` does. */
export async function readTrack(musicDir: string, file: AudioFile, trackId: string): Promise<FoundTrack> {
  const tags = await readAudioTags(join(musicDir, file.path))
  const coverPath = tags.hasCover ? null : file.coverPath
  const hasArt = tags.hasCover || coverPath !== null
  return {
    track: toTrack(trackId, tags, hasArt),
    file: {
      track_id: trackId,
      path: file.path,
      size: file.size,
      modified_at: file.modifiedAt,
      mime_type: audioMimeType(file.path) ?? 'application/octet-stream',
      has_art: hasArt ? 1 : 0,
      cover_path: coverPath,
      search_text: foldLines([tags.title, tags.artist, tags.album]),
      sort_text: foldLines([tags.artist, tags.album, tags.title]),
    },
  }
}

function toTrack(id: string, { title, artist, album, durationMs }: AudioTags, hasArt: boolean): Track {
  const art = hasArt ? trackArtPath(id) : null
  const names = { id, title, artist, album }
  return { ...names, ...toDurationFields(durationMs), source: 'library', albumArt: art, album_art: art }
}
