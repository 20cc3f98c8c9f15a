const naturals: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }
const accidentals: Record<string, number> = { '': 0, '#': 1, b: -1 }

/** 'F#' -> 6. Throws on anything that is no note name. */
export function parsePitchClass(name: string): number {
  const natural = naturals[name.slice(0, 1)]
  const accidental = accidentals[name.slice(1)]
  if (natural === undefined || accidental === undefined) throw new Error(`No note is called "${name}"`)
  return (natural + accidental + 12) % 12
}

/** 'A4' -> 69: semitones, middle C (C4) is 60. Throws on anything that is no note. */
export function parsePitch(name: string): number {
  const parts = /^([A-G])([#b]?)(-?\d)$/.exec(name)
  if (!parts) throw new Error(`No note is called "${name}"`)
  const [, letter = '', accidental = '', octave = ''] = parts
  return (naturals[letter] ?? 0) + (accidentals[accidental] ?? 0) + 12 * (Number(octave) + 1)
}

/** Equal temperament, A4 = 440 Hz; fractions of a semitone are fine. */
export function toHertz(pitch: number): number {
  return 440 * 2 ** ((pitch - 69) / 12)
}
