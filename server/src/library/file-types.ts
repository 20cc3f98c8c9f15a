import { extname } from 'node:path'

/** A larger image, in a file or beside it, is no cover. */
export const coverMaxBytes = 20 * 1024 * 1024

const audioTypes = new Map([
  ['.opus', 'audio/ogg'],
  ['.ogg', 'audio/ogg'],
  ['.oga', 'audio/ogg'],
  ['.mp3', 'audio/mpeg'],
  ['.m4a', 'audio/mp4'],
  ['.m4b', 'audio/mp4'],
  ['.aac', 'audio/aac'],
  ['.flac', 'audio/flac'],
  ['.wav', 'audio/wav'],
  ['.webm', 'audio/webm'],
  ['.mka', 'audio/x-matroska'],
])

/** Audio that no browser plays. */
const unplayable = new Set(
  '.ac3 .aif .aifc .aiff .amr .ape .au .caf .dff .dsf .dts .eac3 .mp2 .mpa .mpc .ra .spx .tak .tta .w64 .wma .wv'.split(
    ' ',
  ),
)

interface LeftOut {
  problem: string
  remedy: string
}

const copyProtected = (extension: string): [string, LeftOut] => [
  extension,
  { problem: `${extension} files are copy-protected`, remedy: 'get them without protection from their shop' },
]

/** Others that the library leaves out. */
const leftOut = new Map<string, LeftOut>([
  ...['.aa', '.aax', '.m4p'].map(copyProtected),
  ['.mp4', { problem: '.mp4 files are taken for videos', remedy: 'rename those without a picture to .m4a' }],
  ['.mpga', { problem: '.mpga files are not looked for', remedy: 'rename them to .mp3' }],
])

/** Returns why the library leaves files with this extension out, and what to do about it. */
export function describeLeftOut(extension: string): LeftOut {
  const remedy = 'convert them to FLAC, MP3, AAC, Opus or WAV'
  return leftOut.get(extension) ?? { problem: `Browsers cannot play ${extension} files`, remedy }
}

/** Returns the extension of an audio file that the library does not accept; null for any other file. */
export function unplayableExtension(path: string): string | null {
  const extension = extname(path).toLowerCase()
  return unplayable.has(extension) || leftOut.has(extension) ? extension : null
}

/** Returns the media type of an audio file by its extension; null for a file that the library does not accept. */
export function audioMimeType(path: string): string | null {
  return audioTypes.get(extname(path).toLowerCase()) ?? null
}
