import { createHat } from '../drums/cymbals.ts'
import { createKick } from '../drums/kick.ts'
import { createSnare, rimshot } from '../drums/snare.ts'
import { addCrackle, addNoise } from '../drums/texture.ts'
import { autoPan, tapeWobble } from '../effects/modulation.ts'
import { equalise, saturateTape, sweepFilter } from '../effects/tone.ts'
import { electricPiano } from '../instruments/electric-piano.ts'
import { nylonGuitar, uprightBass } from '../instruments/guitar.ts'
import { vibraphone } from '../instruments/mallets.ts'
import { createSynth } from '../instruments/subtractive.ts'
import { rollNotes, sustainNotes, writeHits, writeLines } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { holdChords, strikeChords, writeBass, writeHarmony } from '../notation/harmony.ts'
import { createSweep } from '../signal/curve.ts'
import type { Desk } from '../mix/desk.ts'
import type { Score } from './score.ts'

// Bars 0 intro, 2 first theme, 10 second theme, 18 without drums, 20 first theme, 24 end.
const grid = createGrid({ tempo: 76, bars: 26, swing: 0.6, pace: (bar) => (bar === 25 ? 0.9 : 1) })
const harmony = writeHarmony(
  grid,
  'i.a...a...b...b...i.a...e.',
  {
    i: 'Abmaj9:16 | Gm7:8 C7b9:8',
    a: 'Fm9:16 | Bb13:16 | Ebmaj9:16 | Cm9:8 C7alt:8',
    b: 'Abmaj9:16 | Gm7:8 C7b9:8 | Fm9:16 | Bb9sus:8 Bb13:8',
    e: 'Fm9:8 Bb13:8 | Ebmaj9:16',
  },
  { low: 55, high: 75, rootless: true },
)
const worn = [tapeWobble(0.0011, 0.00009), equalise({ kind: 'high-cut', hertz: 6500 })]
const snare = createSnare({
  hertz: 172,
  headSeconds: 0.15,
  head: 0.7,
  floorHertz: 700,
  peakHertz: 1900,
  wireSeconds: 0.19,
  wires: 0.8,
})
const warmth = createSynth({
  wave: 'triangle',
  voices: 4,
  detune: 20,
  spread: 0.9,
  amplitude: { attack: 0.9, decay: 2, sustain: 0.8, release: 1.5 },
  cutoff: 900,
})

function addDrums(desk: Desk): void {
  const dusty = [saturateTape(2), equalise({ kind: 'high-cut', hertz: 9500 })]
  const kicks = writeHits(grid, '..abababacabababac..ababab', {
    a: 'X......o..x.....',
    b: 'X..o......xo....',
    c: 'X......o..x..x..',
  }).filter((note) => note.at < grid.at(24, 2))
  const kick = createKick({ from: 150, to: 52, fallSeconds: 0.03, seconds: 0.32, click: 0.25, drive: 0.8 })
  desk.play({ name: 'kick', loudness: -22, looseness: 0.006, effects: dusty }, kick, kicks)
  const snares = writeHits(grid, '..aaabaaacaaabaaac..aaac..', {
    a: '....X.......X...',
    b: '....X..o....X..o',
    c: '....X.......X.oo',
  })
  desk.play(
    { name: 'snare', loudness: -23, reverb: 0.08, looseness: 0.006, effects: dusty },
    snare,
    snares.map((note) => ({
      ...note,
      at: note.at + 0.012,
      velocity: note.velocity < 0.6 ? 0.3 : note.velocity,
    })),
  )
  const hats = writeHits(grid, '.aabababababababab..ababa.', { a: 'x.o.x.oox.o.x.o.', b: 'x.o.x.o.x.oox.oo' })
  desk.play(
    { name: 'hats', loudness: -32.5, pan: 0.25, looseness: 0.007, effects: dusty },
    createHat({ seconds: 0.08, hertz: 6000, metal: 0.3 }),
    hats,
  )
  const rims = writeHits(grid, '..........aaaaaaaa..aaaa..', { a: '..........o....o' })
  desk.play({ name: 'rim', loudness: -35, reverb: 0.25, pan: -0.35, looseness: 0.006 }, rimshot, rims)
}

function addHarmony(desk: Desk): void {
  const muffled = createSweep([
    [0, 500],
    [grid.at(2), 6500],
    [grid.at(18), 6500],
    [grid.at(18, 8), 1100],
    [grid.at(20), 6500],
    [grid.at(24), 6500],
    [grid.at(26), 1200],
  ])
  const strokes = strikeChords(
    grid,
    harmony,
    'eeabababcbabcbabcbeeababdd',
    {
      a: 'x.....o.........',
      b: 'x......ox.....o.',
      c: 'x.....o...o.....',
      d: 'x.......x.......',
      e: 'x.......x.......',
    },
    7,
  )
  desk.play(
    {
      name: 'electric piano',
      loudness: -21.5,
      reverb: 0.16,
      echo: 0.08,
      looseness: 0.009,
      effects: [...worn, autoPan(0.7, 0.22), sweepFilter('low', muffled)],
    },
    electricPiano,
    rollNotes(strokes, 0.012),
  )
  desk.play(
    { name: 'warmth', loudness: -30, reverb: 0.25, effects: worn },
    warmth,
    holdChords(grid, harmony, 0.7),
  )
  const basses = writeBass(
    grid,
    harmony,
    '..abababababababab..ababcd',
    { a: '1----.1.5--..1a-', b: '1-----..1--5--a-', c: '1------.1----5--', d: '1---------------' },
    32,
  )
  desk.play(
    {
      name: 'bass',
      loudness: -22,
      looseness: 0.008,
      effects: [equalise({ kind: 'low-shelf', hertz: 110, decibels: 3 }), saturateTape(1.4)],
    },
    uprightBass,
    basses.map((note) => ({ ...note, at: note.at + 0.008 })),
  )
}

const themes = {
  a: '-:16 | -:16 | -:8 Bb4:2 D5:2 F5:4 | G5:6 Eb5:2 -:4 Ab4:2 C5:2',
  b: '-:4 C5:2 Eb5:2 G5:6 F5:2 | D5:8 -:8 | -:8 Bb4:2 D5:2 F5:4 | Eb5:4 D5:2 Eb5:2 C5:6 -:2',
  c: 'C5:3 Eb5:3 G5:4 F5:2 Eb5:4 | D5:6 Bb4:2 Db5:4 C5:4 | Ab4:2 C5:2 Eb5:6 G5:4 F5:2 | F5:4 Eb5:2 C5:2 D5:8',
  d: 'C5:3 Eb5:3 G5:6 Bb5:4 | D5:4 F5:2 G5:2 E5:4 Db5:4 | C5:6 Eb5:2 F5:4 G5:4 | F5:3 Eb5:3 D5:2 C5:8',
  e: '-:8 F5:2 Eb5:2 D5:4 | Bb4:12',
}

function addMelody(desk: Desk): void {
  const plucked = writeLines(grid, '......b...c...d.....b...e.', themes)
  desk.play(
    { name: 'guitar', loudness: -22.5, reverb: 0.2, echo: 0.22, looseness: 0.01, pan: -0.2, effects: worn },
    nylonGuitar,
    sustainNotes(plucked, 0.35),
  )
  const struck = writeLines(grid, '..a.......x...x.....a', {
    a: themes.a,
    x: '-:16 | -:8 E5:4 G5:4 | Ab5:8 -:8 | -:8 Bb5:2 G5:2 F5:4',
  })
  desk.play(
    { name: 'vibraphone', loudness: -26, reverb: 0.3, echo: 0.3, looseness: 0.008, pan: 0.35, effects: worn },
    vibraphone,
    sustainNotes(struck, 0.7),
  )
}

function addAir(desk: Desk): void {
  desk.add({ name: 'record', loudness: -41 }, (out, random) => addCrackle(out, 9, random))
  const rain = (frame: number) => 2600 + 500 * Math.sin(frame / 210_000)
  const gusts = (frame: number) => 0.7 + 0.3 * Math.sin(frame / 130_000 + 1)
  desk.add({ name: 'rain', loudness: -43 }, (out, random) => addNoise(out, rain, gusts, 0.5, random))
}

export const kettleAtThree: Score = {
  title: 'Kettle at Three',
  genre: 'Lo-fi',
  seconds: grid.at(26) + 2.5,
  room: {
    reverb: { seconds: 1.5, size: 0.6, predelaySeconds: 0.01, dampHertz: 3600, floorHertz: 200 },
    echo: { seconds: 3 * grid.stepSeconds, feedback: 0.35, floorHertz: 300, ceilingHertz: 2600 },
  },
  fades: { in: 0.8, out: 4 },
  compose(desk) {
    addDrums(desk)
    addHarmony(desk)
    addMelody(desk)
    addAir(desk)
  },
}
