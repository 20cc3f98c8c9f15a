import { createCrash, createHat } from '../drums/cymbals.ts'
import { createKick } from '../drums/kick.ts'
import { createSkin, shaker } from '../drums/percussion.ts'
import { createClap, rimshot } from '../drums/snare.ts'
import { addNoise } from '../drums/texture.ts'
import { chorus } from '../effects/modulation.ts'
import { equalise, sweepFilter } from '../effects/tone.ts'
import { marimba } from '../instruments/mallets.ts'
import { houseOrgan } from '../instruments/organ.ts'
import { createSynth } from '../instruments/subtractive.ts'
import { createVoice } from '../instruments/voice.ts'
import { createDuck } from '../mix/duck.ts'
import { writeHits, writeLines } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { holdChords, strikeChords, writeArpeggio, writeBass, writeHarmony } from '../notation/harmony.ts'
import { createCurve, createSweep } from '../signal/curve.ts'
import type { Desk } from '../mix/desk.ts'
import type { Score } from './score.ts'

// Bars 0 intro, 4 groove, 12 with the voice, 20 break, 26 drop, 36 out.
const grid = createGrid({ tempo: 122, bars: 40, swing: 0.55 })
const harmony = writeHarmony(
  grid,
  'd...d...d...d...d...d...s.d...d...d...d.',
  {
    d: 'Dm9:16 | Bbmaj9:16 | Gm9:16 | A7alt:8 Am7:8',
    s: 'Gm9:16 | A7alt:16',
  },
  { low: 57, high: 76, rootless: true },
)
const kicks = writeHits(grid, 'aaabaaabaaabaaabaaab......aaabaaabaaaaaa', {
  a: 'X...X...X...X...',
  b: 'X...X...X...X..o',
})
const duck = createDuck(
  kicks.map((note) => note.at),
  0.35,
  0.32,
)

const bass = createSynth({
  wave: 'saw',
  sub: 0.9,
  amplitude: { attack: 0.003, decay: 0.6, sustain: 0.5, release: 0.07 },
  cutoff: 260,
  resonance: 2.2,
  sweepOctaves: 2.4,
  sweep: { attack: 0.002, decay: 0.22, sustain: 0.05, release: 0.05 },
  drive: 1,
})
const strings = createSynth({
  wave: 'saw',
  voices: 5,
  detune: 22,
  spread: 1,
  amplitude: { attack: 0.7, decay: 2, sustain: 0.85, release: 1.2 },
  cutoff: 2800,
})
const stab = createSynth({
  wave: 'saw',
  voices: 3,
  detune: 12,
  spread: 0.8,
  amplitude: { attack: 0.002, decay: 0.5, sustain: 0.1, release: 0.16 },
  cutoff: 1400,
  resonance: 1.5,
  sweepOctaves: 1.9,
  sweep: { attack: 0.001, decay: 0.3, sustain: 0, release: 0.1 },
})
const singer = createVoice({
  vowel: 'ah',
  amplitude: { attack: 0.025, decay: 0.8, sustain: 0.6, release: 0.14 },
  vibratoCents: 16,
  breath: 0.07,
})

function addBeat(desk: Desk): void {
  const kick = createKick({ from: 190, to: 50, fallSeconds: 0.024, seconds: 0.3, click: 0.35, drive: 1.4 })
  desk.play({ name: 'kick', loudness: -20.5 }, kick, kicks)
  const claps = writeHits(grid, '....aaaaaaabaaaaaaab......aaabaaabaaaa..', {
    a: '....X.......X...',
    b: '....X.......X..o',
  })
  desk.play({ name: 'clap', loudness: -25, reverb: 0.16 }, createClap(0.28), claps)
  const open = writeHits(grid, '..aaaaaaaaaaaaaaaaaa......aaaaaaaaaaaa..', { a: '..X...X...X...X.' })
  desk.play(
    { name: 'open hat', loudness: -29, pan: -0.12 },
    createHat({ seconds: 0.26, hertz: 7600, metal: 0.45 }),
    open,
  )
  const closed = writeHits(grid, 'aaaaaaaaaaaabbbbbbbb..aaaabbbbbbbbbbaaaa', {
    a: 'o.oxo.oxo.oxo.ox',
    b: 'oxoxoxoxoxoxoxxo',
  })
  desk.play({ name: 'shaker', loudness: -32, pan: 0.3, looseness: 0.003 }, shaker, closed)
  const rims = writeHits(grid, '........aabaaaba....aabaaaba..aabaaabaaa', {
    a: '...x..x....x....',
    b: '...x..x....x.x.o',
  })
  desk.play({ name: 'rim', loudness: -33, reverb: 0.2, echo: 0.15, pan: -0.4 }, rimshot, rims)
  const congas = writeLines(grid, '............aaaaaaaa......aaaaaaaaaa', {
    a: '-:2 G3:1 -:2 G3?:1 D3:2 -:3 G3:1 G3?:1 -:1 D3:2',
  })
  desk.play({ name: 'conga', loudness: -30, reverb: 0.12, pan: 0.35 }, createSkin(0.28, 0.15), congas)
  const crashes = writeHits(grid, '............x.............x.........x...', { x: 'X...............' })
  desk.play({ name: 'crash', loudness: -31, reverb: 0.2 }, createCrash(2.4), crashes)
}

const opening = createSweep([
  [0, 380],
  [grid.at(4), 1400],
  [grid.at(12), 7000],
  [grid.at(20), 7000],
  [grid.at(21), 700],
  [grid.at(26), 9000],
  [grid.at(36), 9000],
  [grid.at(41), 500],
])

function addHarmony(desk: Desk): void {
  const rhythm = { a: 'X..x..x...X.....', b: 'X..x..x...x..x..' }
  const strokes = strikeChords(grid, harmony, 'ababababababababababababababababababab..', rhythm, 2)
  const tone = [sweepFilter('low', opening, 1.1), equalise({ kind: 'low-cut', hertz: 180 })]
  desk.play(
    {
      name: 'organ',
      loudness: -25.5,
      reverb: 0.12,
      echo: 0.12,
      level: duck,
      effects: [...tone, chorus({ hertz: 0.9, seconds: 0.0016, mix: 0.5 })],
    },
    houseOrgan,
    strokes,
  )
  desk.play(
    { name: 'stab', loudness: -26, reverb: 0.2, echo: 0.25, level: duck, effects: tone },
    stab,
    strokes.filter((note) => note.at >= grid.at(12)),
  )
  const held = holdChords(grid, harmony, 0.7).filter((note) => note.at >= grid.at(12))
  desk.play(
    {
      name: 'strings',
      loudness: -26.5,
      reverb: 0.3,
      level: duck,
      effects: [equalise({ kind: 'low-cut', hertz: 260 }, { kind: 'high-shelf', hertz: 4000, decibels: 3 })],
    },
    strings,
    held,
  )
  const basses = writeBass(
    grid,
    harmony,
    '....abacabacabacabac......abacabacabacab',
    { a: '..1..1.8..1..1.5', b: '..1..1.8..1.7.8.', c: '..1..1.8.a1..1a.' },
    38,
  )
  desk.play({ name: 'bass', loudness: -20.5, level: duck }, bass, basses)
}

const hook =
  '-:2 A4:2 C5:1 D5:3 -:8 | -:2 A4:2 C5:1 D5:1 F5:4 D5:2 -:4 | -:2 G4:2 Bb4:1 D5:3 -:8 | -:2 C5:2 Bb4:1 A4:5 -:6'

function addMelody(desk: Desk): void {
  const sung = writeLines(grid, '............v...v...v.....v...v...v.', { v: hook })
  desk.play(
    {
      name: 'voice',
      loudness: -23.5,
      reverb: 0.25,
      echo: 0.35,
      effects: [equalise({ kind: 'low-cut', hertz: 300 })],
    },
    singer,
    sung,
  )
  const plucks = writeArpeggio(grid, harmony, '..........................aaaaaaaaaaaa..', {
    a: '4.2.5.3.4.6.5.3.',
  })
  desk.play({ name: 'marimba', loudness: -27, reverb: 0.2, echo: 0.4, pan: -0.25 }, marimba, plucks)
  const rise = createSweep([
    [0, 300],
    [grid.at(22), 400],
    [grid.at(26), 9000],
    [grid.at(26, 4), 600],
  ])
  const swell = createCurve([
    [grid.at(22), 0],
    [grid.at(25, 15), 1],
    [grid.at(26), 0],
  ])
  desk.add({ name: 'riser', loudness: -29, reverb: 0.3 }, (out, random) =>
    addNoise(out, rise, swell, 2, random),
  )
  const roll = writeHits(grid, '........................ab', { a: 'x...x...x...x...', b: 'x.x.x.x.xxxxXXXX' })
  desk.play({ name: 'roll', loudness: -28, reverb: 0.3 }, createClap(0.2), roll)
}

export const glasshouse: Score = {
  title: 'Glasshouse',
  genre: 'House',
  seconds: grid.at(40) + 2.5,
  room: {
    reverb: { seconds: 1.9, size: 0.8, predelaySeconds: 0.015, dampHertz: 5800, floorHertz: 240 },
    echo: { seconds: 3 * grid.stepSeconds, feedback: 0.4, floorHertz: 400, ceilingHertz: 4500 },
  },
  fades: { in: 0.02, out: 3 },
  compose(desk) {
    addBeat(desk)
    addHarmony(desk)
    addMelody(desk)
  },
}
