import { parseHits, parseLine } from './line.ts'
import type { Note } from '../instruments/note.ts'
import type { Random } from '../signal/random.ts'
import type { Grid } from './grid.ts'
import type { LineNote } from './line.ts'

/** The bars of a row such as '.... aabb' that are not silent, with their letters. A character is a bar. */
export function readRow(row: string): { bar: number; letter: string }[] {
  return row
    .replaceAll(/\s/g, '')
    .split('')
    .flatMap((letter, bar) => (letter === '.' ? [] : [{ bar, letter }]))
}

/** Drum notes: each letter of the row plays its pattern in its bar. */
export function writeHits(grid: Grid, row: string, patterns: Record<string, string>): Note[] {
  return readRow(row).flatMap(({ bar, letter }) =>
    parseHits(requirePattern(patterns, letter)).map(({ step, velocity }) => ({
      at: grid.at(bar, step),
      seconds: grid.stepSeconds,
      pitch: 60,
      velocity,
    })),
  )
}

/** Melodic notes: each letter of the row starts its line at its bar (a line may run over several bars). */
export function writeLines(grid: Grid, row: string, lines: Record<string, string>): Note[] {
  return readRow(row).flatMap(({ bar, letter }) =>
    placeLine(grid, bar, parseLine(requirePattern(lines, letter), grid.stepsPerBar)),
  )
}

/** Puts notes that count from the start of a line at a bar. */
export function placeLine(grid: Grid, bar: number, line: readonly LineNote[]): Note[] {
  return line.map(({ step, steps, pitch, velocity }) => {
    const at = grid.at(bar, step)
    return { at, seconds: grid.at(bar, step + steps) - at, pitch, velocity }
  })
}

function requirePattern(patterns: Record<string, string>, letter: string): string {
  const pattern = patterns[letter]
  if (pattern === undefined) throw new Error(`The row has the letter "${letter}", but no pattern has`)
  return pattern
}

/** Lets each note slide from the one before it. */
export function slurNotes(notes: readonly Note[]): Note[] {
  return notes.map((note, index) => {
    const previous = notes[index - 1]
    const joined = previous && note.at - (previous.at + previous.seconds) < 0.05
    return joined ? { ...note, glideFrom: previous.pitch } : note
  })
}

/** Moves notes as a player would: up to `seconds` off the beat, and up to a tenth louder or softer. */
export function loosenNotes(notes: readonly Note[], random: Random, seconds: number): Note[] {
  return notes.map((note) => ({
    ...note,
    at: Math.max(0, note.at + random.bipolar() * seconds),
    velocity: Math.min(1, note.velocity * (1 + 0.1 * random.bipolar())),
  }))
}

export function transposeNotes(notes: readonly Note[], semitones: number): Note[] {
  return notes.map((note) => ({ ...note, pitch: note.pitch + semitones }))
}

/** Lets every note sound at least this long, as with a pedal or on open strings. */
export function sustainNotes(notes: readonly Note[], seconds: number): Note[] {
  return notes.map((note) => ({ ...note, seconds: Math.max(note.seconds, seconds) }))
}

/** Spreads the notes that begin together over a little time, from the lowest up: a rolled chord. */
export function rollNotes(notes: readonly Note[], seconds: number): Note[] {
  return notes.map((note) => {
    const below = notes.filter((other) => other.at === note.at && other.pitch < note.pitch).length
    return { ...note, at: note.at + below * seconds }
  })
}
