import { extname } from 'node:path'

const mimeTypes = new Map([
  ['.opus', 'audio/ogg'],
  ['.ogg', 'audio/ogg'],
  ['.mp3', 'audio/mpeg'],
  ['.m4a', 'audio/mp4'],
  ['.aac', 'audio/aac'],
  ['.flac', 'audio/flac'],
  ['.wav', 'audio/wav'],
  ['.webm', 'audio/webm'],
])

/** The media type that an audio file is served with, by its name; null for a file that the library does not take. */
export function audioMimeType(path: string): string | null {
  return mimeTypes.get(extname(path).toLowerCase()) ?? null
}
