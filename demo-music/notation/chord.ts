import { parsePitchClass } from './pitch.ts'

/** Pitch classes count semitones from C. */
export interface Chord {
  root: number
  /** The lowest note: the root, or what follows the slash. */
  bass: number
  /** Semitones above the root, rising, the root first. */
  intervals: number[]
}

const qualities: Record<string, number[]> = {
  '': [0, 4, 7],
  m: [0, 3, 7],
  5: [0, 7],
  6: [0, 4, 7, 9],
  69: [0, 4, 7, 9, 14],
  7: [0, 4, 7, 10],
  9: [0, 4, 7, 10, 14],
  13: [0, 4, 10, 14, 21],
  '7b9': [0, 4, 7, 10, 13],
  '7#5': [0, 4, 8, 10],
  '7alt': [0, 4, 8, 10, 15],
  '7sus': [0, 5, 7, 10],
  '9sus': [0, 5, 7, 10, 14],
  add9: [0, 4, 7, 14],
  maj7: [0, 4, 7, 11],
  maj9: [0, 4, 7, 11, 14],
  'maj7#11': [0, 4, 7, 11, 18],
  sus2: [0, 2, 7],
  sus4: [0, 5, 7],
  m6: [0, 3, 7, 9],
  m7: [0, 3, 7, 10],
  m9: [0, 3, 7, 10, 14],
  m11: [0, 3, 7, 10, 14, 17],
  madd9: [0, 3, 7, 14],
  m7b5: [0, 3, 6, 10],
  dim7: [0, 3, 6, 9],
}

/** 'D/F#', 'Ebmaj9', 'Bm7b5'. Throws on an unknown quality. */
export function parseChord(symbol: string): Chord {
  const parts = /^([A-G][#b]?)([^/]*)(?:\/([A-G][#b]?))?$/.exec(symbol)
  const intervals = qualities[parts?.[2] ?? '?']
  if (!parts || !intervals) throw new Error(`No chord is called "${symbol}"`)
  const root = parsePitchClass(parts[1] ?? '')
  return { root, bass: parts[3] ? parsePitchClass(parts[3]) : root, intervals }
}
