import { createCrash, createHat } from '../drums/cymbals.ts'
import { createKick } from '../drums/kick.ts'
import { createSkin } from '../drums/percussion.ts'
import { createSnare } from '../drums/snare.ts'
import { gatedRoom } from '../effects/gated-room.ts'
import { chorus } from '../effects/modulation.ts'
import { equalise, sweepFilter } from '../effects/tone.ts'
import { createSynth } from '../instruments/subtractive.ts'
import { createDuck } from '../mix/duck.ts'
import { slurNotes, writeHits, writeLines } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { holdChords, writeArpeggio, writeBass, writeHarmony } from '../notation/harmony.ts'
import { createSweep } from '../signal/curve.ts'
import type { Desk } from '../mix/desk.ts'
import type { Score } from './score.ts'

// Bars 0 intro, 4 verse, 12 chorus, 20 break, 24 chorus, 32 end.
const grid = createGrid({ tempo: 100, bars: 34 })
const harmony = writeHarmony(
  grid,
  'v...v...v...c.......b...c.......e.',
  {
    v: 'Emadd9:16 | Cmaj7:16 | G:16 | D:16',
    c: 'Cmaj7:16 | D:16 | Emadd9:16 | G:16 | Cmaj7:16 | D:16 | Bm7:16 | Emadd9:16',
    b: 'Am9:16 | Bm7:16 | Cmaj7:16 | Dsus4:8 D:8',
    e: 'Cmaj7:8 D:8 | Emadd9:16',
  },
  { low: 55, high: 76 },
)

const kicks = writeHits(grid, '....aaab aaabccccccce....ccccccce..', {
  a: 'X.......X.......',
  b: 'X.......X.x...x.',
  c: 'X...X...X...X...',
  e: 'X...X...X.......',
})
const duck = createDuck(
  kicks.map((note) => note.at),
  0.5,
  0.3,
)

const bass = createSynth({
  wave: 'saw',
  voices: 2,
  detune: 9,
  sub: 0.7,
  amplitude: { attack: 0.003, decay: 0.5, sustain: 0.6, release: 0.06 },
  cutoff: 330,
  resonance: 1.6,
  sweepOctaves: 2.2,
  sweep: { attack: 0.002, decay: 0.28, sustain: 0.1, release: 0.05 },
  drive: 0.8,
})
const pad = createSynth({
  wave: 'saw',
  voices: 6,
  detune: 26,
  spread: 1,
  amplitude: { attack: 0.5, decay: 2, sustain: 0.8, release: 1.4 },
  cutoff: 1500,
  sweepOctaves: 0.8,
  sweep: { attack: 1.2, decay: 2, sustain: 0.4, release: 1 },
})
const arp = createSynth({
  wave: 'pulse',
  pulseWidth: 0.3,
  voices: 2,
  detune: 8,
  spread: 0.5,
  amplitude: { attack: 0.002, decay: 0.35, sustain: 0.15, release: 0.15 },
  cutoff: 1700,
  resonance: 1.8,
  sweepOctaves: 1.6,
  sweep: { attack: 0.001, decay: 0.2, sustain: 0, release: 0.1 },
})
const lead = createSynth({
  wave: 'saw',
  voices: 3,
  detune: 14,
  spread: 0.4,
  sub: 0.15,
  amplitude: { attack: 0.012, decay: 1.2, sustain: 0.75, release: 0.22 },
  cutoff: 2600,
  resonance: 1.1,
  sweepOctaves: 0.9,
  sweep: { attack: 0.03, decay: 0.7, sustain: 0.3, release: 0.2 },
  vibrato: { hertz: 5.4, cents: 16, delay: 0.28 },
  glideSeconds: 0.09,
})
const glass = createSynth({
  wave: 'triangle',
  voices: 2,
  detune: 6,
  spread: 0.7,
  amplitude: { attack: 0.002, decay: 1.1, sustain: 0, release: 0.5 },
  cutoff: 4200,
})

const snare = createSnare({
  hertz: 186,
  headSeconds: 0.2,
  head: 0.9,
  floorHertz: 900,
  peakHertz: 2600,
  wireSeconds: 0.24,
  wires: 0.9,
})

function addDrums(desk: Desk): void {
  const kick = createKick({ from: 210, to: 48, fallSeconds: 0.028, seconds: 0.34, click: 0.5, drive: 1 })
  desk.play({ name: 'kick', loudness: -22 }, kick, kicks)
  const snares = writeHits(grid, '....aaaf aaafaaaaaaaf...gaaaaaaaf..', {
    a: '....X.......X...',
    f: '....X.......X.xx',
    g: '........x.x.X.XX',
  })
  const gate = gatedRoom(
    snares.map((note) => note.at),
    0.2,
    0.9,
  )
  desk.play({ name: 'snare', loudness: -22.5, reverb: 0.08, effects: [gate] }, snare, snares)
  const hats = writeHits(grid, '....aaaaaaaabbbbbbbbaaaabbbbbbbb..', {
    a: 'x.o.x.o.x.o.x.o.',
    b: 'xoXoxoXoxoXoxoXo',
  })
  desk.play(
    { name: 'hats', loudness: -31.5, reverb: 0.05, pan: 0.2 },
    createHat({ seconds: 0.09, hertz: 7200, metal: 0.5 }),
    hats,
  )
  const toms = writeLines(grid, '...........f.......f...f.......f..', { f: '-:8 D3!:2 D3:2 A2!:2 E2!:2' })
  desk.play(
    { name: 'toms', loudness: -25, reverb: 0.25 },
    createSkin(0.5, 0.6),
    toms.map((note) => ({ ...note, pan: (note.pitch - 45) / 10 })),
  )
  const crashes = writeHits(grid, '....x.......x.......x...x.......x.', { x: 'X...............' })
  desk.play({ name: 'crash', loudness: -29.5, reverb: 0.2 }, createCrash(2.6), crashes)
}

const opening = createSweep([
  [0, 320],
  [grid.at(4), 2400],
  [grid.at(12), 9000],
  [grid.at(20), 1200],
  [grid.at(24), 9000],
  [grid.at(32), 9000],
  [grid.at(35), 500],
])

function addHarmony(desk: Desk): void {
  const wide = chorus({ hertz: 0.4, seconds: 0.003, mix: 0.5 })
  const padTone = [wide, sweepFilter('low', opening), equalise({ kind: 'low-cut', hertz: 170 })]
  desk.play(
    { name: 'pad', loudness: -24.5, reverb: 0.3, level: duck, effects: padTone },
    pad,
    holdChords(grid, harmony, 0.7),
  )
  const arps = writeArpeggio(grid, harmony, 'aaaabbbbbbbbbbbbbbbbaaaabbbbbbbba.', {
    a: '0.2.3.2.4.3.2.1.',
    b: '0123432145432341',
  })
  const arpTone = [sweepFilter('low', opening, 1.4), equalise({ kind: 'low-cut', hertz: 250 })]
  desk.play({ name: 'arp', loudness: -27, reverb: 0.15, echo: 0.4, level: duck, effects: arpTone }, arp, arps)
  const basses = writeBass(
    grid,
    harmony,
    '....aaaaaaaabbbbbbbb....bbbbbbbbcd',
    { a: '1-1-8-1-1-1-8-5-', b: '1.118.111.118.15', c: '1-1-8-1-1-1-8-a-', d: '1---------------' },
    40,
  )
  desk.play({ name: 'bass', loudness: -20.5, level: duck }, bass, basses)
  const rumble = writeBass(grid, harmony, '....................aaaa..', { a: '1---------------' }, 40)
  desk.play({ name: 'break bass', loudness: -24, reverb: 0.1 }, bass, rumble)
}

const melody =
  'E5:6 D5:2 E5:4 G5:4 | F#5:6 E5:2 D5:4 A4:4 | B4:10 D5:2 E5:4 | D5:12 -:4 | ' +
  'E5:6 D5:2 E5:4 G5:4 | A5:6 G5:2 F#5:4 D5:4 | F#5:6 E5:2 D5:4 B4:4 | E5:14 -:2'
const lowerVoice =
  'C5:6 B4:2 C5:4 E5:4 | D5:6 C5:2 A4:4 F#4:4 | G4:10 G4:2 B4:4 | B4:12 -:4 | ' +
  'C5:6 B4:2 C5:4 E5:4 | F#5:6 E5:2 D5:4 A4:4 | D5:6 B4:2 B4:4 F#4:4 | B4:14 -:2'
const hook =
  'G5:3 F#5:3 E5:2 B4:8 | G5:3 F#5:3 E5:2 C5:8 | B5:3 A5:3 G5:2 D5:8 | A5:3 G5:3 F#5:2 D5:4 E5:2 F#5:2'

const breakHook = 'G5:3 E5:3 D5:2 B4:8 | A5:3 F#5:3 E5:2 D5:8 | B5:3 G5:3 E5:2 D5:8 | A5:3 G5:3 D5:2 F#5:8'

function addMelody(desk: Desk): void {
  const upper = slurNotes(writeLines(grid, '............m...........m.......', { m: melody }))
  desk.play({ name: 'lead', loudness: -20.5, reverb: 0.22, echo: 0.28 }, lead, upper)
  const lower = slurNotes(writeLines(grid, '........................m', { m: lowerVoice }))
  desk.play({ name: 'second lead', loudness: -25, reverb: 0.25, echo: 0.2 }, lead, lower)
  const bells = writeLines(grid, '........h...........b...........e.', {
    h: hook,
    b: breakHook,
    e: 'G5:3 F#5:3 E5:2 F#5:8 | E5:12',
  })
  desk.play({ name: 'hook', loudness: -24, reverb: 0.3, echo: 0.45 }, glass, bells)
}

export const neonHarbour: Score = {
  title: 'Neon Harbour',
  genre: 'Synthwave',
  seconds: grid.at(34) + 3,
  room: {
    reverb: { seconds: 2.4, size: 0.9, predelaySeconds: 0.02, dampHertz: 5200, floorHertz: 220 },
    echo: { seconds: 3 * grid.stepSeconds, feedback: 0.45, floorHertz: 350, ceilingHertz: 4200 },
  },
  fades: { in: 0.6, out: 3.5 },
  compose(desk) {
    addDrums(desk)
    addHarmony(desk)
    addMelody(desk)
  },
}
