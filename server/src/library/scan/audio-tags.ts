import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import type { IAudioMetadata } from 'music-metadata'
import { limits } from '@earshot/core/limits'
import { readContentExtension } from '../content-extension.ts'
import { sniffImageType } from '../../images/image-types.ts'
import { coverMaxBytes } from '../file-types.ts'
import { readArtistTags } from './artist-tags.ts'
import { readFlacDuration } from './durations/flac-duration.ts'
import { type MeasuredAudio, measureAudio } from './durations/measured-duration.ts'
import { readDamagedOgg } from './durations/ogg-duration.ts'
import { readLoudnessTags, type StatedLoudness } from './loudness-tags.ts'
import { openForParser } from './parser-input.ts'
import { UnreadableAudioError } from './unreadable-audio.ts'
import { readWebmDuration } from './durations/webm-duration.ts'

export interface AudioTags extends StatedLoudness {
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
  /** Identifies the cover in the file; null without one that browsers draw. */
  coverHash: string | null
}

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
  const { artist, albumArtist } = readArtistTags(metadata)
  const named = tagsFromFileName(path)
  const numbers = numbersFromFileName(path, cleanTagText(common.title) !== '')
  return {
    title: cleanTagText(common.title) || cleanTagText(named.title) || basename(path),
    artist: cleanTagText(artist) || cleanTagText(named.artist),
    album: cleanTagText(common.album),
    albumArtist: cleanTagText(albumArtist) || cleanTagText(named.artist),
    year: yearOf(common),
    discNumber: toWholeNumber(common.disk.no) ?? numbers.disc,
    trackNumber: toWholeNumber(common.track.no) ?? numbers.track,
    durationMs,
    coverHash: hashOf(await coverOf(metadata)),
    ...readLoudnessTags(metadata),
  }
}

/** Returns the year of a release. Some dates begin with the day, which the parser takes for the year. */
function yearOf({ year, date }: IAudioMetadata['common']): number | null {
  if (year !== undefined && year >= 1_000 && year <= 9_999) return year
  const [found] = /\b(?:1[89]|20)\d\d\b/.exec(date ?? '') ?? []
  return found === undefined ? null : Number(found)
}

/** A number on an album; null for one that is missing or makes no sense. */
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
  const drawable = metadata.common.picture?.filter(
    ({ data }) => data.length <= coverMaxBytes && sniffImageType(data) !== null,
  )
  return selectCover(drawable)?.data ?? null
}

function hashOf(cover: Uint8Array | null): string | null {
  return cover && createHash('sha256').update(cover).digest('base64url')
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

/** Matches the numbers of disc and track, as iTunes writes them: '1-01 '. */
const discAndTrack = /^(\d)-(\d{2})[\s_]+/
/** Matches track numbers: '1-01 ', '1 - ', '01-', '3. ', '07 ', '07_', but not the '50' of '50 Cent'. */
const trackNumber = /^(?:\d-\d{2}[\s_]+|\d{1,3}\s+-\s+|\d{2,3}[-)]\s*|\d{1,3}\.\s+|0\d[\s_]+)/

/** Derives tags from a file name: 'Artist - Title.ext', with or without a track number. */
export function tagsFromFileName(path: string): NameTags {
  const name = basename(path, extname(path)).trim()
  const words = readableName(name.replace(trackNumber, '')) || readableName(name)
  const [artist = '', ...rest] = words.split(/\s+[-–—]\s+/)
  const title = rest.join(' - ').replace(trackNumber, '').trim()
  return artist && title ? { title, artist } : { title: words, artist: '' }
}

/** Derives the numbers of disc and track from a file name; from one with a title elsewhere only those at its start. */
function numbersFromFileName(path: string, hasTitle: boolean): { disc: number | null; track: number | null } {
  const name = basename(path, extname(path)).trim()
  const [, disc, track] = discAndTrack.exec(name) ?? []
  const [start] = trackNumber.exec(name) ?? []
  // 'Chapter 10'.
  const last = hasTitle ? undefined : name.match(/\d+/g)?.at(-1)
  const toNumber = (text = ''): number | null => toWholeNumber(Number.parseInt(text, 10))
  return { disc: toNumber(disc), track: toNumber(track ?? start ?? last) }
}

function readableName(name: string): string {
  return name.replaceAll('_', ' ').replace(/\s+/g, ' ').trim()
}
