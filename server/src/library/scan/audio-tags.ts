import { basename } from 'node:path'
import { parseFile, selectCover, type IAudioMetadata } from 'music-metadata'
import { limits } from '@earshot/core/limits'
import { tagsFromFileName } from './file-name-tags.ts'
import { sniffImageType } from '../file-types.ts'
import { cleanTagText } from './tag-text.ts'

export interface AudioTags {
  title: string
  artist: string
  album: string
  durationMs: number
  /** Whether the file carries a cover that browsers draw. */
  hasCover: boolean
}

/** A file that is not the audio its name says. The message is for whoever looks after the music folder. */
export class UnreadableAudioError extends Error {
  override name = 'UnreadableAudioError'
}

/**
 * Reads tags and duration of an audio file; what the tags do not say, its name does. Covers are looked at and let
 * go. Throws `UnreadableAudioError` where there is no audio to play; errors of the file system pass through.
 */
export async function readAudioTags(path: string): Promise<AudioTags> {
  const metadata = await parseAudio(path)
  const durationMs = durationOf(metadata)
  const { common } = metadata
  const named = tagsFromFileName(path)
  return {
    title: cleanTagText(common.title) || cleanTagText(named.title) || basename(path),
    artist: cleanTagText(common.artist ?? common.albumartist) || cleanTagText(named.artist),
    album: cleanTagText(common.album),
    durationMs,
    hasCover: coverOf(metadata) !== null,
  }
}

/** The cover in an audio file, if it has one that browsers draw. Throws as `readAudioTags` does. */
export async function readCover(path: string): Promise<Uint8Array | null> {
  return coverOf(await parseAudio(path))
}

function coverOf(metadata: IAudioMetadata): Uint8Array | null {
  const drawable = metadata.common.picture?.filter((picture) => sniffImageType(picture.data) !== null)
  return selectCover(drawable)?.data ?? null
}

async function parseAudio(path: string): Promise<IAudioMetadata> {
  try {
    return await parseFile(path, { duration: true })
  } catch (error) {
    // An error of the file system names its call; every other one is the parser stumbling over the content.
    if (error instanceof Error && 'syscall' in error) throw error
    throw new UnreadableAudioError(`Damaged, cut off or not audio at all${parserDetail(error)}`, {
      cause: error,
    })
  }
}

/** The parser's own word, where it is one for people: a slip of its code says nothing about the file. */
function parserDetail(error: unknown): string {
  const isSlip = error instanceof TypeError || error instanceof RangeError
  return error instanceof Error && !isSlip ? ` (${error.message})` : ''
}

/** In ms, whole. */
function durationOf({ format, quality }: IAudioMetadata): number {
  const detail = quality.warnings.map((warning) => warning.message).join('; ')
  if (format.hasAudio !== true || format.codec === undefined || format.container === undefined) {
    throw new UnreadableAudioError(`No audio in it${detail && ` (${detail})`}`)
  }
  const durationMs = Math.round((format.duration ?? 0) * 1000)
  if (durationMs > limits.mediaTimeMaxMs)
    throw new UnreadableAudioError('It claims to last longer than a week')
  if (durationMs > 0) return durationMs
  // Recorders write WebM without a length; everywhere else a missing one means that there are no whole frames.
  if (format.duration === undefined && format.container.startsWith('EBML')) return limits.unknownDurationMs
  throw new UnreadableAudioError(`Cut off: no playable audio in it${detail && ` (${detail})`}`)
}
