import { join } from 'node:path'
import { trackArtPath } from '@earshot/core/protocol/http-api'
import type { Track } from '@earshot/core/protocol/entities'
import type { LibraryFile } from '../../db/library-files.ts'
import { audioMimeType } from '../audio-file-types.ts'
import { readAudioTags, type AudioTags } from './audio-tags.ts'
import { foldText } from '../search-text.ts'
import type { AudioFile } from './music-folder.ts'

/** An audio file as it is stored: what it is called, and where it is. */
export interface FoundTrack {
  track: Track
  file: LibraryFile
}

/** Reads an audio file. Throws as `readAudioTags` does. */
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
  return { id, title, artist, album, duration: durationMs, source: 'library', albumArt: art, album_art: art }
}

/** Three lines of this length, of letters of three bytes, fit into an index entry of PostgreSQL (2,704 bytes). */
const foldedLineMaxLength = 250

function foldLines(lines: string[]): string {
  return lines.map((line) => foldText(line).slice(0, foldedLineMaxLength).toWellFormed()).join('\n')
}
