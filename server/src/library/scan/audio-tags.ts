import { basename, extname } from 'node:path'
import type { IAudioMetadata } from 'music-metadata'
import { limits } from '@earshot/core/limits'
import { readContentExtension } from '../content-extension.ts'
import { sniffImageType } from '../file-types.ts'
import { readFlacDuration } from './flac-duration.ts'
import { type MeasuredAudio, measureAudio } from './measured-duration.ts'
import { readDamagedOgg } from './ogg-duration.ts'
import { openForParser } from './parser-input.ts'
import { UnreadableAudioError } from './unreadable-audio.ts'
import { readWebmDuration } from './webm-duration.ts'

export interface AudioTags {
  title: string
  artist: string
  album: string
  /** The artist of the album: for a compilation not that of the track. */
  albumArtist: string
  year: number | null
  discNumber: number | null
  trackNumber: number | null
  /** Null if it cannot be found out. */
  durationMs: number | null
  /** Whether the file contains a cover that browsers draw. */
  hasCover: boolean
}

/** The name that players agree on for the artist of a compilation. */
const variousArtists = 'Various Artists'

/**
 * Reads tags and duration of an audio file; missing tags are taken from its name. Throws `UnreadableAudioError` where
 * there is no audio to play; file system errors pass through.
 */
export async function readAudioTags(
  path: string,
  { extension, durationMs: measuredMs }: MeasuredAudio = measureAudio(path),
): Promise<AudioTags> {
  const metadata = await parseAudio(path, extension, measuredMs === null)
  requireAudio(metadata)
  const durationMs = measuredMs ?? durationOf(metadata) ?? (await readMissingDuration(path, metadata))
  if (durationMs !== null && durationMs > limits.mediaTimeMaxMs)
    throw new UnreadableAudioError('It claims to last longer than a week')
  const { common } = metadata
  const named = tagsFromFileName(path)
  return {
    title: cleanTagText(common.title) || cleanTagText(named.title) || basename(path),
    artist: cleanTagText(common.artist ?? common.albumartist) || cleanTagText(named.artist),
    album: cleanTagText(common.album),
    albumArtist: cleanTagText(albumArtistOf(common)) || cleanTagText(named.artist),
    year: toWholeNumber(common.year),
    discNumber: toWholeNumber(common.disk.no),
    trackNumber: toWholeNumber(common.track.no) ?? numberFromFileName(path),
    durationMs,
    hasCover: (await coverOf(metadata)) !== null,
  }
}

function albumArtistOf({
  albumartist,
  compilation,
  artists,
  artist,
}: IAudioMetadata['common']): string | undefined {
  return albumartist || (compilation === true ? variousArtists : artists?.[0] || artist)
}

/** A year or a number on an album; null for one that is missing or makes no sense. */
function toWholeNumber(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 10_000 ? value : null
}

/** Reads the cover in an audio file, if it has one that browsers draw. Throws as `readAudioTags` does. */
export async function readCover(path: string): Promise<Uint8Array | null> {
  return coverOf(await parseAudio(path, readContentExtension(path), false))
}

/** Loads the parser, which is large, with the first file: a start that finds the library unchanged reads none. */
const loadParser = () => import('music-metadata')

async function coverOf(metadata: IAudioMetadata): Promise<Uint8Array | null> {
  const { selectCover } = await loadParser()
  const drawable = metadata.common.picture?.filter((picture) => sniffImageType(picture.data) !== null)
  return selectCover(drawable)?.data ?? null
}

/** `extension`: by which to read it. `duration`: whether to read it whole for its duration, where that is needed. */
async function parseAudio(path: string, extension: string, duration: boolean): Promise<IAudioMetadata> {
  const { parseFile, parseStream } = await loadParser()
  try {
    const input = openForParser(path, extension)
    if (!input) return await parseFile(path, { duration })
    const { stream, size } = input
    const file = { path: `audio${extension}`, size }
    return await parseStream(stream, file, { duration }).finally(() => stream.destroy())
  } catch (error) {
    // A file system error has a `syscall`; every other error is the parser failing on the content.
    if (error instanceof Error && 'syscall' in error) throw error
    throw new UnreadableAudioError(`Damaged, cut off or not audio at all${parserDetail(error)}`, {
      cause: error,
    })
  }
}

/** Quotes the parser's message. A TypeError or RangeError is a bug in the parser, not a fact about the file. */
function parserDetail(error: unknown): string {
  const isParserBug = error instanceof TypeError || error instanceof RangeError
  return error instanceof Error && !isParserBug ? quoted([error.message]) : ''
}

const quoteMaxLength = 200

/** Quotes messages of the parser, each once: it has one for every frame that it cannot read. */
function quoted(messages: string[]): string {
  const text = [...new Set(messages)].join('; ')
  return text && ` (${text.length > quoteMaxLength ? `${text.slice(0, quoteMaxLength)} ...` : text})`
}

/** By containers; they read the file whole. */
const counts = new Map([
  ['FLAC', readFlacDuration],
  ['Ogg', readDamagedOgg],
])

/** Finds the duration of a file that does not state it; null for a WebM file where it cannot be found out. */
async function readMissingDuration(path: string, { format }: IAudioMetadata): Promise<number | null> {
  const count = counts.get(format.container ?? '')
  if (!count) return readWebmDuration(path)
  const durationMs = count(path)
  if (durationMs === null) throw new UnreadableAudioError('Cut off: no playable audio in it')
  return durationMs
}

const warningsOf = ({ quality }: IAudioMetadata): string =>
  quoted(quality.warnings.map((warning) => warning.message))

/** Throws `UnreadableAudioError`. */
function requireAudio(metadata: IAudioMetadata): void {
  const { hasAudio, codec, container, trackInfo } = metadata.format
  // The parser has no name for Opus and FLAC in MP4, which players have.
  const hasCodec = codec !== undefined || trackInfo.some(({ codecId }) => codecId !== undefined)
  if (hasAudio !== true || !hasCodec || container === undefined)
    throw new UnreadableAudioError(`No audio in it${warningsOf(metadata)}`)
}

/** Returns the duration in whole ms, or null for a WebM, FLAC or Ogg file without one. Throws `UnreadableAudioError`. */
function durationOf(metadata: IAudioMetadata): number | null {
  const { duration = 0, container = '' } = metadata.format
  // Recorders that were stopped leave a placeholder in WebM: 0, or no number at all.
  const durationMs = Number.isFinite(duration) ? Math.round(duration * 1000) : 0
  if (durationMs > 0) return durationMs
  // Recorders write WebM without a duration, pipes FLAC, and the parser stops at damage in Ogg. In other formats, none
  // means that no frame is complete.
  const isOptional = container.startsWith('EBML') || container === 'FLAC' || container === 'Ogg'
  if (isOptional) return null
  throw new UnreadableAudioError(`Cut off: no playable audio in it${warningsOf(metadata)}`)
}

const tagMaxLength = 500

/** Cleans the text of a tag for display: one line of at most 500 characters. Empty for a missing tag. */
export function cleanTagText(text: string | undefined): string {
  // Tags come padded with NUL and other control characters.
  const printable = readAsUtf8(text ?? '').replace(/[\p{Cc}\s]+/gu, ' ')
  // Cut first: composing a text takes seconds for thousands of marks.
  return printable.trim().slice(0, tagMaxLength).normalize('NFC').slice(0, tagMaxLength).toWellFormed()
}

/**
 * Repairs UTF-8 that was read as Latin-1 ('BjÃ¶rk'): many programs write it into formats that specify Latin-1 (RIFF
 * INFO, ID3v1). Latin-1 text that is also valid non-ASCII UTF-8 is practically always such text.
 */
function readAsUtf8(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

interface NameTags {
  title: string
  /** Empty where the name has none. */
  artist: string
}

/** Matches track numbers: '1 - ', '01-', '3. ', '07 ', '07_', but not the '50' of '50 Cent'. */
const trackNumber = /^(?:\d{1,3}\s+-\s+|\d{2,3}[-)]\s*|\d{1,3}\.\s+|0\d[\s_]+)/

/** Derives tags from a file name: 'Artist - Title.ext', with or without a track number. */
export function tagsFromFileName(path: string): NameTags {
  const name = basename(path, extname(path)).trim()
  const words = readableName(name.replace(trackNumber, '')) || readableName(name)
  const [artist = '', ...rest] = words.split(/\s+[-–—]\s+/)
  const title = rest.join(' - ').replace(trackNumber, '').trim()
  return artist && title ? { title, artist } : { title: words, artist: '' }
}

function numberFromFileName(path: string): number | null {
  const [number] = trackNumber.exec(basename(path)) ?? []
  return number === undefined ? null : toWholeNumber(Number.parseInt(number, 10))
}

function readableName(name: string): string {
  return name.replaceAll('_', ' ').replace(/\s+/g, ' ').trim()
}
