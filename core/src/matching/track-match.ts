import type { Source, Track } from '../protocol/entities.ts'
import type { TrackMatch } from '../protocol/providers.ts'
import { knownDurationMs } from '../sync/duration.ts'

/** Finds the same recording in another source: by its international code, else by title, artist and duration (15.16). */

/**
 * The sources in which a match may be offered. Spotify does not allow products that combine its content with another
 * service's streams, so its tracks are only matched with the server's own files, and nothing is matched with Spotify.
 */
export const matchTargets: Readonly<Record<Source, readonly Source[]>> = {
  spotify: ['library'],
  youtube: ['library'],
  library: ['youtube'],
}

/** Recordings of the same song differ by less. */
export const matchToleranceMs = 3_000
const minConfidence = 0.6
const matchesMax = 5

type Matchable = Pick<Track, 'title' | 'artist' | 'duration' | 'duration_unknown' | 'source' | 'isrc'>

/** Ranks the candidates that are the same recording as `track`, in a source that is allowed; at most 5, best first. */
export function rankMatches(track: Matchable, candidates: readonly Track[]): TrackMatch[] {
  return candidates
    .filter((candidate) => matchTargets[track.source].includes(candidate.source) && !candidate.restriction)
    .flatMap((candidate): TrackMatch[] => {
      const match = compareTracks(track, candidate)
      return match && match.confidence >= minConfidence ? [{ track: candidate, ...match }] : []
    })
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, matchesMax)
}

/**
 * Compares two tracks. `confidence`: 0..1. Null where they cannot be the same recording, or where a duration is unknown
 * and the codes do not decide.
 */
export function compareTracks(a: Matchable, b: Matchable): Pick<TrackMatch, 'confidence' | 'by'> | null {
  const [first, second] = [knownDurationMs(a), knownDurationMs(b)]
  const differenceMs = first === null || second === null ? null : Math.abs(first - second)
  const isClose = differenceMs !== null && differenceMs <= matchToleranceMs
  if (toCode(a.isrc) !== null && toCode(a.isrc) === toCode(b.isrc)) {
    return { confidence: isClose || differenceMs === null ? 1 : 0.8, by: 'isrc' }
  }
  if (!isClose) return null
  const text = compareTexts(readSong(a), readSong(b))
  // A difference of 3 s takes away a tenth.
  return { confidence: text * (1 - 0.1 * (differenceMs / matchToleranceMs)), by: 'text' }
}

/** Codes are written with and without hyphens. */
function toCode(isrc: string | null | undefined): string | null {
  const code = (isrc ?? '').toUpperCase().replace(/[^A-Z\d]/g, '')
  return code.length === 12 ? code : null
}

interface Song {
  title: Set<string>
  artist: Set<string>
  /** Words such as `live` that make it another recording. */
  versions: Set<string>
}

const versionWords = new Set(
  (
    'live remix acoustic instrumental karaoke cover demo unplugged nightcore slowed sped extended edit mix orchestral ' +
    'piano backing'
  ).split(' '),
)
/** Words that providers add to a title of the same recording. */
const noiseWords = new Set(
  (
    'official video audio lyric lyrics visualizer visualiser music mv hd hq 4k remaster remastered explicit clean ' +
    'version topic vevo full original stereo mono'
  ).split(' '),
)

function readSong({ title: givenTitle, artist, source }: Matchable): Song {
  const title = givenTitle.replace(/\s[-–—]\s(?:\d{4} )?remaster.*$/iu, '')
  // Videos are often named "Artist - Title".
  const [, namedArtist, namedTitle] = (source === 'youtube' && /^(.+?)\s+[-–—]\s+(.+)$/u.exec(title)) || []
  const ownTitle = namedTitle ?? title
  const main = ownTitle.replace(/\s(?:feat|ft|featuring)\b.*$/iu, '').replace(/[([{][^)\]}]*[)\]}]/gu, ' ')
  const words = toWords(main)
  const all = toWords(ownTitle)
  return {
    title: new Set((words.length > 0 ? words : all).filter((word) => !noiseWords.has(word))),
    artist: new Set(toWords(`${artist.replace(/VEVO$/u, '')} ${namedArtist ?? ''}`)),
    versions: new Set(all.filter((word) => versionWords.has(word))),
  }
}

function toWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
  return folded.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Titles must agree, and the artist of one must be named by the other. */
function compareTexts(a: Song, b: Song): number {
  if (countShared(a.versions, b.versions) < Math.max(a.versions.size, b.versions.size)) return 0
  const title = overlap(a.title, b.title, Math.max(a.title.size, b.title.size))
  const artist = overlap(a.artist, b.artist, Math.min(a.artist.size, b.artist.size))
  return title * (0.4 + 0.6 * artist)
}

/** Returns the share of common words, 0 without any. */
function overlap(a: Set<string>, b: Set<string>, size: number): number {
  return size === 0 ? 0 : countShared(a, b) / size
}

function countShared(a: Set<string>, b: Set<string>): number {
  return [...a].filter((word) => b.has(word)).length
}

/** Returns the longest words of a track's title, by which candidates are looked up. */
export function searchWordsOf(track: Matchable): string[] {
  return [...readSong(track).title].toSorted((a, b) => b.length - a.length).slice(0, 3)
}
