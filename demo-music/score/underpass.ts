import { createCrash, createHat, ride } from '../drums/cymbals.ts'
import { createKick } from '../drums/kick.ts'
import { createSnare } from '../drums/snare.ts'
import { addNoise } from '../drums/texture.ts'
import { autoPan, chorus } from '../effects/modulation.ts'
import { equalise, saturateTape, sweepFilter } from '../effects/tone.ts'
import { electricPiano } from '../instruments/electric-piano.ts'
import { createSynth } from '../instruments/subtractive.ts'
import { createVoice } from '../instruments/voice.ts'
import { createDuck } from '../mix/duck.ts'
import { slurNotes, sustainNotes, writeHits, writeLines } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { holdChords, strikeChords, writeArpeggio, writeBass, writeHarmony } from '../notation/harmony.ts'
import { createCurve, createSweep } from '../signal/curve.ts'
import type { Desk } from '../mix/desk.ts'
import type { Score } from './score.ts'

// Bars 0 intro, 8 first drop, 24 break, 32 second drop, 48 out.
const grid = createGrid({ tempo: 172, bars: 56, swing: 0.53 })
const harmony = writeHarmony(
  grid,
  'a.......a.......a.......b.......a.......a.......a.......',
  {
    a: 'Fm9:32 | Dbmaj9:32 | Abmaj9:32 | Eb69:32',
    b: 'Bbm9:32 | Cm7:32 | Dbmaj9:32 | Eb9sus:16 | Eb9:16',
  },
  { low: 56, high: 76, rootless: true },
)
const beats = '.... .... ababababababacaf .... .... ababababababacaf aba.....'
const kicks = writeHits(grid, beats, {
  a: 'X.........x.....',
  b: 'X.x.......x.....',
  c: 'X.x.......x...x.',
  f: 'X.x.......x.....',
})
const duck = createDuck(
  kicks.map((note) => note.at),
  0.5,
  0.22,
)

const sub = createSynth({
  wave: 'sine',
  amplitude: { attack: 0.012, decay: 3, sustain: 0.9, release: 0.09 },
  cutoff: 900,
  tracking: 0,
  drive: 0.6,
  glideSeconds: 0.08,
})
const growl = createSynth({
  wave: 'saw',
  voices: 3,
  detune: 34,
  spread: 0.5,
  amplitude: { attack: 0.02, decay: 2, sustain: 0.8, release: 0.1 },
  cutoff: 1500,
  tracking: 0,
  glideSeconds: 0.08,
})
const pad = createSynth({
  wave: 'saw',
  voices: 6,
  detune: 24,
  spread: 1,
  amplitude: { attack: 0.9, decay: 3, sustain: 0.8, release: 1.6 },
  cutoff: 2600,
})
const sparkle = createSynth({
  wave: 'triangle',
  voices: 2,
  detune: 7,
  spread: 0.8,
  amplitude: { attack: 0.002, decay: 0.45, sustain: 0, release: 0.3 },
  cutoff: 5000,
})
const snare = createSnare({
  hertz: 204,
  headSeconds: 0.16,
  head: 0.75,
  floorHertz: 1300,
  peakHertz: 3600,
  wireSeconds: 0.17,
  wires: 1,
})
const singer = createVoice({
  vowel: 'oh',
  amplitude: { attack: 0.09, decay: 1.5, sustain: 0.7, release: 0.5 },
  vibratoCents: 22,
  breath: 0.12,
})

function addBreakbeat(desk: Desk): void {
  const kick = createKick({ from: 230, to: 54, fallSeconds: 0.02, seconds: 0.2, click: 0.6, drive: 1.2 })
  desk.play({ name: 'kick', loudness: -21.5 }, kick, kicks)
  const snares = writeHits(grid, beats, {
    a: '....X..o.o..X..o',
    b: '....X..o.o..X.o.',
    c: '....X..o.o..X.oo',
    f: '....X..o.oXoX.xX',
  })
  desk.play(
    {
      name: 'snare',
      loudness: -21.5,
      reverb: 0.09,
      effects: [saturateTape(1.5), equalise({ kind: 'high-cut', hertz: 10_500 })],
    },
    snare,
    snares.map((note) => ({ ...note, velocity: note.velocity < 0.6 ? 0.28 : note.velocity })),
  )
  const hats = writeHits(grid, '....cccc abababababababab cccccccc abababababababab cccc....', {
    a: 'x.xox.xox.xox.xo',
    b: 'x.xoxoxox.xox.xx',
    c: 'o...o...o...o.o.',
  })
  desk.play(
    { name: 'hats', loudness: -30.5, pan: 0.2, looseness: 0.002 },
    createHat({ seconds: 0.07, hertz: 7400, metal: 0.4 }),
    hats,
  )
  const rides = writeHits(grid, '........ ........ aaaaaaaa ........ aaaaaaaa aaaaaaaa', {
    a: 'x...x...x...x...',
  })
  desk.play({ name: 'ride', loudness: -31.5, reverb: 0.08 }, ride, rides)
  const crashes = writeHits(grid, '........x...............x.......x...............x.......', {
    x: 'X...............',
  })
  desk.play({ name: 'crash', loudness: -29.5, reverb: 0.2 }, createCrash(2.8), crashes)
}

function addBass(desk: Desk): void {
  const patterns = { a: '1-------..1-1-5-', b: '1-----8-..7-8---', c: '1---------------' }
  const low = slurNotes(
    writeBass(grid, harmony, '.... .... abababababababab cccccccc abababababababab cc......', patterns, 29),
  )
  desk.play({ name: 'sub', loudness: -24, level: duck }, sub, low)
  const movement = createSweep(
    Array.from({ length: 57 }, (_, bar) => [grid.at(bar), bar % 2 === 0 ? 260 : 1100] as const),
  )
  const playing = low.filter(
    (note) => note.at < grid.at(24) || (note.at >= grid.at(32) && note.at < grid.at(48)),
  )
  desk.play(
    {
      name: 'growl',
      loudness: -25,
      level: duck,
      effects: [
        sweepFilter('low', movement, 1.6),
        equalise({ kind: 'low-cut', hertz: 110 }),
        chorus({ hertz: 0.3, seconds: 0.004, mix: 0.4 }),
      ],
    },
    growl,
    playing.map((note) => ({
      ...note,
      pitch: note.pitch + 12,
      glideFrom: (note.glideFrom ?? note.pitch) + 12,
    })),
  )
}

const opening = createSweep([
  [0, 300],
  [grid.at(8), 5000],
  [grid.at(24), 6000],
  [grid.at(25), 900],
  [grid.at(32), 7000],
  [grid.at(48), 6000],
  [grid.at(57), 500],
])

function addHarmony(desk: Desk): void {
  const tone = [sweepFilter('low', opening), equalise({ kind: 'low-cut', hertz: 220 })]
  desk.play(
    { name: 'pad', loudness: -25, reverb: 0.35, level: duck, effects: tone },
    pad,
    holdChords(grid, harmony, 0.7),
  )
  const strokes = strikeChords(
    grid,
    harmony,
    'a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.',
    { a: 'x.....x.........', b: 'x.........x.....' },
    6,
  )
  desk.play(
    {
      name: 'electric piano',
      loudness: -24.5,
      reverb: 0.22,
      echo: 0.3,
      looseness: 0.004,
      effects: [
        autoPan(0.9, 0.25),
        equalise({ kind: 'low-cut', hertz: 180 }, { kind: 'high-shelf', hertz: 1800, decibels: 5 }),
      ],
    },
    electricPiano,
    strokes.map((note) => ({ ...note, velocity: note.velocity * 0.8 })),
  )
  const arps = writeArpeggio(
    grid,
    harmony,
    'aaaaaaaa................bbbbbbbbaaaaaaaaaaaaaaaabbbb....',
    { a: '0.3.2.4.1.3.5.2.', b: '4...2...5...3...' },
    0.65,
  )
  desk.play(
    { name: 'sparkle', loudness: -28.5, reverb: 0.25, echo: 0.5 },
    sparkle,
    arps.map((note) => ({ ...note, pitch: note.pitch + 12 })),
  )
}

const song = 'C5:12 Eb5:4 | G5:16 | F5:12 Eb5:4 | C5:16 | Bb4:12 C5:4 | Eb5:16 | F5:8 G5:8 | Bb5:12 -:4'
const answer = 'Db5:12 F5:4 | Ab5:16 | G5:12 F5:4 | Eb5:16 | F5:12 Ab5:4 | C6:16 | Bb5:16 | G5:12 -:4'

function addMelody(desk: Desk): void {
  const sung = slurNotes(
    writeLines(grid, '................s.......b...............s.......', { s: song, b: answer }),
  )
  desk.play(
    {
      name: 'voice',
      loudness: -23.5,
      reverb: 0.4,
      echo: 0.3,
      effects: [equalise({ kind: 'low-cut', hertz: 250 }, { kind: 'high-shelf', hertz: 2000, decibels: 5 })],
    },
    singer,
    sustainNotes(sung, 0.3),
  )
  const wind = createSweep([
    [0, 500],
    [grid.at(4), 500],
    [grid.at(8), 7000],
    [grid.at(9), 500],
    [grid.at(28), 500],
    [grid.at(32), 8000],
    [grid.at(33), 500],
  ])
  const swell = createCurve([
    [grid.at(4), 0],
    [grid.at(7, 15), 1],
    [grid.at(8), 0],
    [grid.at(28), 0],
    [grid.at(31, 15), 1],
    [grid.at(32), 0],
  ])
  desk.add({ name: 'riser', loudness: -29, reverb: 0.3 }, (out, random) =>
    addNoise(out, wind, swell, 1.5, random),
  )
}

export const underpass: Score = {
  title: 'Underpass',
  genre: 'Drum & Bass',
  seconds: grid.at(56) + 3,
  room: {
    reverb: { seconds: 2.8, size: 1, predelaySeconds: 0.025, dampHertz: 5000, floorHertz: 260 },
    echo: { seconds: 6 * grid.stepSeconds, feedback: 0.45, floorHertz: 400, ceilingHertz: 4500 },
  },
  fades: { in: 1, out: 5 },
  compose(desk) {
    addBreakbeat(desk)
    addBass(desk)
    addHarmony(desk)
    addMelody(desk)
  },
}
