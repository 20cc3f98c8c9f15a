import { chorus } from '../effects/modulation.ts'
import { equalise } from '../effects/tone.ts'
import { feltPiano } from '../instruments/felt-piano.ts'
import { glockenspiel } from '../instruments/mallets.ts'
import { createSynth } from '../instruments/subtractive.ts'
import { slurNotes, transposeNotes, writeLines } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { holdChords, writeArpeggio, writeBass, writeHarmony } from '../notation/harmony.ts'
import { createCurve } from '../signal/curve.ts'
import type { Note } from '../instruments/note.ts'
import type { Desk } from '../mix/desk.ts'
import type { Score } from './score.ts'

/** Every phrase of eight bars leans forward and settles; the last bars slow down. */
function breathe(bar: number): number {
  const ending: Record<number, number> = { 31: 0.9, 36: 0.94, 37: 0.88, 38: 0.78, 39: 0.66 }
  return ending[bar] ?? 1 + 0.035 * Math.sin(((bar % 8) / 7) * Math.PI) - (bar % 8 === 7 ? 0.05 : 0)
}

// Three in a bar. Bars 0 theme, 8 theme with strings, 16 second theme, 24 bridge, 28 theme, 36 end.
const grid = createGrid({ tempo: 96, bars: 40, stepsPerBar: 12, pace: breathe })
const theme = 'D:12 | A/C#:12 | Bm7:12 | F#m7:12 | Gmaj7:12 | D/F#:12 | Em7:12 | A7sus:6 A7:6'
const harmony = writeHarmony(
  grid,
  'a.......a.......b.......c...a.......e...',
  {
    a: theme,
    b: 'Bm:12 | G:12 | D:12 | A/C#:12 | Bm:12 | Gmaj7:12 | Em9:12 | F#7:12',
    c: 'Gmaj7:12 | Gm6:12 | D/A:12 | A7sus:12',
    e: 'Gmaj7:12 | Gm6:12 | Dadd9:12 | Dadd9:12',
  },
  { low: 54, high: 70 },
)

const ensemble = createSynth({
  wave: 'saw',
  voices: 6,
  detune: 24,
  spread: 1,
  amplitude: { attack: 0.7, decay: 2, sustain: 0.85, release: 1.3 },
  cutoff: 3200,
  breath: 0.02,
  vibrato: { hertz: 5, cents: 7, delay: 0.5 },
})
const cello = createSynth({
  wave: 'saw',
  voices: 3,
  detune: 9,
  spread: 0.5,
  amplitude: { attack: 0.16, decay: 1.5, sustain: 0.8, release: 0.5 },
  cutoff: 2400,
  resonance: 1.1,
  vibrato: { hertz: 5.3, cents: 14, delay: 0.35 },
  glideSeconds: 0.12,
})

const melodies = {
  a: 'F#5:8 E5:4 | E5:4 C#5:8 | D5:8 F#5:4 | A5:8 F#5:4 | B5:8 A5:4 | F#5:8 D5:4 | E5:4 G5:4 F#5:4 | E5:12',
  b:
    'F#5:4 G5:2 F#5:2 E5:4 | C#5:8 A4:4 | D5:4 E5:4 F#5:4 | A5:8 C#6:4 | ' +
    'B5:6 A5:2 G5:4 | A5:6 F#5:2 D5:4 | G5:4 F#5:4 E5:4 | D5:6 C#5:6',
  c: 'D6:8 C#6:4 | B5:12 | A5:8 F#5:4 | E5:12 | D6:8 E6:4 | F#6:8 D6:4 | G5:4 B5:4 D6:4 | C#6:12',
  d: 'B5:8 D6:4 | Bb5:8 G5:4 | A5:12 | E5:12',
  e: 'B5:8 A5:4 | Bb5:8 G5:4 | F#5:12 | D6?:12',
}

/** The pedal is lifted at every bar line; the last chord rings on. */
function pedal(notes: readonly Note[]): Note[] {
  const bars = Array.from({ length: grid.bars - 1 }, (_, bar) => grid.at(bar))
  bars.push(grid.at(grid.bars) + 4)
  return notes.map((note) => {
    const lift = bars.find((at) => at > note.at + 0.05) ?? note.at
    return { ...note, seconds: Math.max(note.seconds, lift - note.at + 0.08) }
  })
}

function addPiano(desk: Desk): void {
  const low = writeBass(grid, harmony, 'a'.repeat(38) + 'bb', { a: '1-----------', b: '1-----------' }, 38)
  const patterns = { a: '..0-1-2-1-0-', b: '..0-2-1-2-3-', c: '..0-1-2-3-4-', d: '..0---1-----' }
  const broken = writeArpeggio(grid, harmony, 'aaabaaabbbbbbbbbccccccccaabdbbbbbbbbaadd', patterns, 0.4)
  const melody = writeLines(grid, 'a.......b.......c.......d...b.......e...', melodies)
  const octaves = transposeNotes(writeLines(grid, '............................b', melodies), 12)
  const voiced = [
    ...low.map((note) => ({ ...note, velocity: 0.5 })),
    ...broken,
    ...melody.map((note) => ({ ...note, velocity: note.velocity * 0.95 })),
    ...octaves.map((note) => ({ ...note, velocity: 0.35 })),
  ]
  desk.play(
    {
      name: 'piano',
      loudness: -19,
      reverb: 0.22,
      looseness: 0.009,
      effects: [
        equalise(
          { kind: 'peak', hertz: 230, decibels: -2.5, q: 0.8 },
          { kind: 'high-shelf', hertz: 2200, decibels: 8 },
        ),
      ],
    },
    feltPiano,
    pedal(voiced),
  )
}

function addStrings(desk: Desk): void {
  const swell = createCurve([
    [grid.at(8), 0],
    [grid.at(12), 0.6],
    [grid.at(16), 0.9],
    [grid.at(23), 1.1],
    [grid.at(25), 0.55],
    [grid.at(28), 0.8],
    [grid.at(35), 1.15],
    [grid.at(38), 0.6],
    [grid.at(40), 0.3],
  ])
  const held = holdChords(grid, harmony, 0.7).filter((note) => note.at >= grid.at(8) - 0.01)
  const bright = equalise(
    { kind: 'low-cut', hertz: 200 },
    { kind: 'peak', hertz: 320, decibels: -3, q: 0.8 },
    { kind: 'high-shelf', hertz: 2500, decibels: 5 },
  )
  desk.play(
    {
      name: 'strings',
      loudness: -25.5,
      reverb: 0.4,
      level: swell,
      effects: [chorus({ hertz: 0.6, seconds: 0.0025, mix: 0.4 }), bright],
    },
    ensemble,
    [...held, ...transposeNotes(held, 12).filter((note) => note.at >= grid.at(16) - 0.01)],
  )
  const line =
    'B2:8 C#3:4 | D3:12 | F#3:8 D3:4 | E3:8 C#3:4 | B2:8 F#3:4 | G3:12 | E3:8 D3:4 | C#3:8 A#2:4 | ' +
    'B2:12 | Bb2:12 | A2:12 | A2:8 G2:4'
  const low = slurNotes(writeLines(grid, '................l', { l: line }))
  const answer =
    'F#3:8 G3:4 | A3:12 | B3:8 A3:4 | F#3:12 | D3:8 E3:4 | F#3:8 A3:4 | G3:8 B3:4 | A3:12 | G3:12 | Bb3:12 | A3:12 | F#3:12'
  const tenor = slurNotes(writeLines(grid, '............................t', { t: answer }))
  desk.play({ name: 'cello', loudness: -25, reverb: 0.3, effects: [bright] }, cello, [...low, ...tenor])
}

function addFrost(desk: Desk): void {
  const flakes = writeArpeggio(grid, harmony, '................a.b.a.b.....b.a.b.a.a.b.', {
    a: '......5-----',
    b: '....4-----6-',
  })
  desk.play(
    { name: 'frost', loudness: -33, reverb: 0.6, echo: 0.3, pan: 0.3, looseness: 0.01 },
    glockenspiel,
    transposeNotes(flakes, 12),
  )
}

export const lettersInWinter: Score = {
  title: 'Letters in Winter',
  genre: 'Neoclassical',
  seconds: grid.at(40) + 5,
  room: {
    reverb: { seconds: 2.9, size: 1.05, predelaySeconds: 0.022, dampHertz: 4800, floorHertz: 180 },
    echo: { seconds: 6 * grid.stepSeconds, feedback: 0.3, floorHertz: 500, ceilingHertz: 4000 },
  },
  fades: { in: 0.02, out: 5 },
  compose(desk) {
    addPiano(desk)
    addStrings(desk)
    addFrost(desk)
  },
}
