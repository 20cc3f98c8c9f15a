import { createKick } from '../drums/kick.ts'
import { shaker, tambourine } from '../drums/percussion.ts'
import { createClap } from '../drums/snare.ts'
import { equalise } from '../effects/tone.ts'
import { nylonGuitar, steelGuitar, uprightBass } from '../instruments/guitar.ts'
import { glockenspiel } from '../instruments/mallets.ts'
import { createSynth } from '../instruments/subtractive.ts'
import { whistle } from '../instruments/whistle.ts'
import {
  rollNotes,
  slurNotes,
  sustainNotes,
  transposeNotes,
  writeHits,
  writeLines,
} from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { holdChords, strikeChords, writeArpeggio, writeBass, writeHarmony } from '../notation/harmony.ts'
import type { Desk } from '../mix/desk.ts'
import type { Score } from './score.ts'

// Bars 0 guitar alone, 4 first theme, 12 second theme, 20 break, 24 second theme, 32 end.
const grid = createGrid({
  tempo: 104,
  bars: 34,
  swing: 0.53,
  pace: (bar) => (bar === 32 ? 0.94 : bar === 33 ? 0.8 : 1),
})
const harmony = writeHarmony(
  grid,
  'a...a...a...b.......c...b.......e.',
  {
    a: 'G:16 | Em7:16 | Cadd9:16 | Dsus4:8 D:8',
    b: 'Cadd9:16 | G/B:16 | Am7:16 | G:16 | Cadd9:16 | G/B:16 | Am7:8 D:8 | G:16',
    c: 'Em7:16 | Cadd9:16 | G/B:16 | Dsus4:8 D:8',
    e: 'Cadd9:8 D:8 | G:16',
  },
  { low: 55, high: 72 },
)

/** The wooden body: the air in it, the top, and what the pick adds. */
const body = equalise(
  { kind: 'low-cut', hertz: 80 },
  { kind: 'peak', hertz: 108, decibels: 3, q: 1.6 },
  { kind: 'peak', hertz: 215, decibels: 4, q: 1.2 },
  { kind: 'high-shelf', hertz: 3500, decibels: -3 },
)
const harmonium = createSynth({
  wave: 'pulse',
  pulseWidth: 0.35,
  voices: 3,
  detune: 8,
  spread: 0.9,
  amplitude: { attack: 0.5, decay: 1.5, sustain: 0.85, release: 0.8 },
  cutoff: 1300,
})

function addGuitars(desk: Desk): void {
  const thumb = writeBass(
    grid,
    harmony,
    'aaabaaabaaabaaaaaaabaaabaaaaaaabbc',
    { a: '1---5---1---5---', b: '1---5---1---5-a-', c: '1---------------' },
    40,
  )
  const fingers = writeArpeggio(
    grid,
    harmony,
    'aabbababababcbcbcbcbaabbcbcbcbcbad',
    { a: '....2.1...3.2.1.', b: '..1.2..3..2.1.3.', c: '..12..31..23.12.', d: '................' },
    0.62,
  )
  const lastChord = rollNotes(
    strikeChords(grid, harmony, '.'.repeat(33) + 's', { s: '..x.............' }, 14),
    0.05,
  )
  desk.play(
    { name: 'steel guitar', loudness: -20, reverb: 0.14, looseness: 0.006, pan: -0.28, effects: [body] },
    steelGuitar,
    [
      ...sustainNotes(thumb, 1.1).map((note) => ({ ...note, velocity: note.velocity * 0.85 })),
      ...sustainNotes(fingers, 1.5),
      ...lastChord.map((note) => ({ ...note, seconds: 3 })),
    ],
  )
  const strokes = strikeChords(
    grid,
    harmony,
    '............aaabaaab....aaabaaab..',
    { a: 'x.......o.o...o.', b: 'x.....o.x...o.o.' },
    5,
  )
  desk.play(
    { name: 'nylon guitar', loudness: -26.5, reverb: 0.16, looseness: 0.007, pan: 0.5, effects: [body] },
    nylonGuitar,
    rollNotes(sustainNotes(strokes, 0.7), 0.011),
  )
}

const melodies = {
  m:
    'E5:4 D5:2 E5:2 G5:8 | D5:4 B4:2 D5:2 G5:8 | C5:4 B4:2 C5:2 E5:6 D5:2 | B4:12 D5:4 | ' +
    'E5:4 D5:2 E5:2 G5:4 A5:4 | B5:6 A5:2 G5:8 | A5:3 G5:3 E5:2 F#5:4 A5:4 | G5:12 -:4',
  t: '-:4 B4:2 D5:2 E5:4 D5:4 | -:4 B4:2 D5:2 G5:4 E5:4 | -:4 D5:2 E5:2 G5:4 E5:2 D5:2 | G5:4 A5:4 F#5:4 D5:4',
  c: 'B5:4 G5:4 E5:4 G5:4 | D6:4 C6:2 B5:2 G5:8 | B5:4 G5:4 D5:4 G5:4 | A5:4 G5:4 F#5:8',
  e: 'E5:4 G5:4 F#5:4 A5:4 | G5:14 -:2',
}

function addMelody(desk: Desk): void {
  const plucked = writeLines(grid, '........t', melodies)
  desk.play(
    {
      name: 'second guitar',
      loudness: -22.5,
      reverb: 0.18,
      echo: 0.12,
      looseness: 0.008,
      pan: 0.3,
      effects: [body],
    },
    nylonGuitar,
    sustainNotes(plucked, 0.9),
  )
  const whistled = slurNotes(writeLines(grid, '............m...........m.......e.', melodies))
  desk.play(
    { name: 'whistle', loudness: -23, reverb: 0.3, echo: 0.14, looseness: 0.008 },
    whistle,
    whistled.map((note) => ({ ...note, seconds: note.seconds * 0.93, pitch: note.pitch + 12 })),
  )
  const bells = writeLines(grid, '....................c...m.......e.', melodies)
  desk.play(
    { name: 'glockenspiel', loudness: -31, reverb: 0.35, echo: 0.2, looseness: 0.006, pan: 0.2 },
    glockenspiel,
    transposeNotes(bells, 12),
  )
}

function addGround(desk: Desk): void {
  const basses = writeBass(
    grid,
    harmony,
    '....aaabaaababababab....abababab..',
    { a: '1-------5-----1-', b: '1-----1-5-----a-' },
    28,
  )
  desk.play(
    {
      name: 'bass',
      loudness: -22.5,
      looseness: 0.007,
      effects: [equalise({ kind: 'low-shelf', hertz: 120, decibels: 3 })],
    },
    uprightBass,
    basses,
  )
  const held = holdChords(grid, harmony, 0.7).filter((note) => note.at >= grid.at(12) - 0.01)
  desk.play(
    { name: 'harmonium', loudness: -30, reverb: 0.25, effects: [equalise({ kind: 'low-cut', hertz: 220 })] },
    harmonium,
    held,
  )
}

function addHands(desk: Desk): void {
  const kicks = writeHits(grid, '........aaaaaaaaaaaa....aaaaaaaa..', { a: 'X.......X.o.....' })
  desk.play(
    { name: 'foot', loudness: -24.5, reverb: 0.06, looseness: 0.005 },
    createKick({ from: 120, to: 58, fallSeconds: 0.02, seconds: 0.22, click: 0.15, drive: 0.3 }),
    kicks,
  )
  const shakes = writeHits(grid, '....aaaaaaaabbbbbbbb..aabbbbbbbb..', {
    a: 'o.x.o.x.o.x.o.x.',
    b: 'ooxoooxoooxoooxo',
  })
  desk.play({ name: 'shaker', loudness: -32.5, pan: 0.4, looseness: 0.006 }, shaker, shakes)
  const jingles = writeHits(grid, '............aaaaaaaa....aaaaaaaa..', { a: '....x.......x...' })
  desk.play(
    { name: 'tambourine', loudness: -31, reverb: 0.12, pan: -0.35, looseness: 0.006 },
    tambourine,
    jingles,
  )
  const claps = writeHits(grid, '........................aaaabbbb..', {
    a: '............x...',
    b: '....x.......x...',
  })
  desk.play({ name: 'claps', loudness: -28, reverb: 0.2, looseness: 0.008 }, createClap(0.12), claps)
}

export const orchardPath: Score = {
  title: 'Orchard Path',
  genre: 'Folk',
  seconds: grid.at(34) + 3,
  room: {
    reverb: { seconds: 1.7, size: 0.7, predelaySeconds: 0.014, dampHertz: 5600, floorHertz: 200 },
    echo: { seconds: 3 * grid.stepSeconds, feedback: 0.3, floorHertz: 400, ceilingHertz: 4000 },
  },
  fades: { in: 0.02, out: 3 },
  compose(desk) {
    addGuitars(desk)
    addMelody(desk)
    addGround(desk)
    addHands(desk)
  },
}
