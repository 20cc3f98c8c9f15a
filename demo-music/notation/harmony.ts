import { readRow } from './arrangement.ts'
import { parseChords, parseHits } from './line.ts'
import { leadVoices } from './voice-leading.ts'
import type { Note } from '../instruments/note.ts'
import type { Chord } from './chord.ts'
import type { Grid } from './grid.ts'
import type { VoicingRange } from './voice-leading.ts'

/** A chord in its place: `start` and `end` count sixteenths from the beginning of the piece. */
export interface PlacedChord {
  start: number
  end: number
  chord: Chord
  /** Pitches, rising. */
  voices: number[]
}

/** Chords of a whole piece: each letter of the row starts its progression at its bar, voices led throughout. */
export function writeHarmony(
  grid: Grid,
  row: string,
  progressions: Record<string, string>,
  range: VoicingRange,
): PlacedChord[] {
  const chords = readRow(row).flatMap(({ bar, letter }) => {
    const progression = progressions[letter]
    if (progression === undefined) throw new Error(`No progression is called "${letter}"`)
    return parseChords(progression, grid.stepsPerBar).map(({ step, steps, chord }) => {
      const start = bar * grid.stepsPerBar + step
      return { start, end: start + steps, chord }
    })
  })
  const led = leadVoices(
    chords.map(({ chord }) => chord),
    range,
  )
  return chords.map((chord, index) => ({ ...chord, voices: led[index] ?? [] }))
}

/** The notes of chords that are held, `overlap` seconds into the next one. */
export function holdChords(
  grid: Grid,
  harmony: readonly PlacedChord[],
  velocity: number,
  overlap = 0,
): Note[] {
  return harmony.flatMap(({ start, end, voices }) => {
    const at = grid.at(0, start)
    const seconds = grid.at(0, end) - at + overlap
    return voices.map((pitch) => ({ at, seconds, pitch, velocity }))
  })
}

interface Stroke {
  start: number
  steps: number
  sign: string
  chord: PlacedChord
  next: PlacedChord | undefined
}

/** The signs of the patterns where a chord sounds; '-' makes a note longer, '.' is silence. */
function readStrokes(
  grid: Grid,
  harmony: readonly PlacedChord[],
  row: string,
  patterns: Record<string, string>,
): Stroke[] {
  return readRow(row).flatMap(({ bar, letter }) => {
    const pattern = patterns[letter]?.replaceAll(/\s/g, '')
    if (pattern === undefined) throw new Error(`No pattern is called "${letter}"`)
    return [...pattern.matchAll(/[^.-]-*/g)].flatMap((match) => {
      const start = bar * grid.stepsPerBar + match.index
      const index = harmony.findIndex((placed) => start >= placed.start && start < placed.end)
      const chord = harmony[index]
      if (!chord) return []
      return [{ start, steps: match[0].length, sign: match[0].slice(0, 1), chord, next: harmony[index + 1] }]
    })
  })
}

/** The chord tone a bass sign means, in semitones above the root. */
function readDegree(sign: string, { chord }: PlacedChord): number {
  const within = (low: number, high: number, otherwise: number) =>
    chord.intervals.find((interval) => interval >= low && interval <= high) ?? otherwise
  if (sign === '3') return within(2, 5, 7)
  if (sign === '5') return within(6, 8, 7)
  if (sign === '7') return within(9, 11, 12)
  if (sign === '8') return 12
  if (sign === '1') return 0
  throw new Error(`The bass knows no "${sign}"`)
}

/** The pitch of a class (0..11) in the octave that begins at `low`. */
function placeAbove(low: number, pitchClass: number): number {
  return low + ((((pitchClass - low) % 12) + 12) % 12)
}

/**
 * A bass: 1 root (or the bass of a slash chord), 3, 5, 7 chord tones, 8 octave, a a semitone below the next root.
 * Roots lie in the octave that begins at `low`.
 */
export function writeBass(
  grid: Grid,
  harmony: readonly PlacedChord[],
  row: string,
  patterns: Record<string, string>,
  low: number,
): Note[] {
  return readStrokes(grid, harmony, row, patterns).map(({ start, steps, sign, chord, next }) => {
    const at = grid.at(0, start)
    const root = placeAbove(low, sign === '1' || sign === '8' ? chord.chord.bass : chord.chord.root)
    const pitch =
      sign === 'a' ? placeAbove(low, (next ?? chord).chord.bass) - 1 : root + readDegree(sign, chord)
    return {
      at,
      seconds: (grid.at(0, start + steps) - at) * 0.92,
      pitch,
      velocity: sign === '1' ? 0.85 : 0.72,
    }
  })
}

/** Broken chords: a digit is a voice from below, beyond the highest it goes on an octave up. */
export function writeArpeggio(
  grid: Grid,
  harmony: readonly PlacedChord[],
  row: string,
  patterns: Record<string, string>,
  velocity = 0.7,
): Note[] {
  return readStrokes(grid, harmony, row, patterns).flatMap(({ start, steps, sign, chord }) => {
    const number = Number(sign)
    const count = chord.voices.length
    const voice = chord.voices[number % count]
    if (voice === undefined) throw new Error(`"${sign}" is no voice of an arpeggio`)
    const at = grid.at(0, start)
    const accent = start % 4 === 0 ? 1.12 : 1
    return [
      {
        at,
        seconds: grid.at(0, start + steps) - at,
        pitch: voice + 12 * Math.floor(number / count),
        velocity: velocity * accent,
      },
    ]
  })
}

/** Chords struck in a rhythm (a hit pattern a letter), each for `steps` sixteenths. */
export function strikeChords(
  grid: Grid,
  harmony: readonly PlacedChord[],
  row: string,
  patterns: Record<string, string>,
  steps: number,
): Note[] {
  return readRow(row).flatMap(({ bar, letter }) =>
    parseHits(patterns[letter] ?? '').flatMap((hit) => {
      const start = bar * grid.stepsPerBar + hit.step
      const placed = harmony.find((chord) => start >= chord.start && start < chord.end)
      const at = grid.at(0, start)
      const seconds = grid.at(0, start + steps) - at
      return (placed?.voices ?? []).map((pitch) => ({ at, seconds, pitch, velocity: hit.velocity }))
    }),
  )
}
