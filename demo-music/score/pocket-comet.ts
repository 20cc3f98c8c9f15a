import { equalise } from '../effects/tone.ts'
import { chipKick, chipTriangle, createChipNoise, createChipPulse } from '../instruments/chip.ts'
import { transposeNotes, writeHits, writeLines } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { writeArpeggio, writeBass, writeHarmony } from '../notation/harmony.ts'
import type { Note } from '../instruments/note.ts'
import type { Desk } from '../mix/desk.ts'
import type { Score } from './score.ts'

// Bars 0 intro, 4 theme, 12 theme higher, 20 second theme, 28 break, 32 and 40 theme a tone up.
const grid = createGrid({ tempo: 150, bars: 48 })
const harmony = writeHarmony(
  grid,
  'i...a.......a.......b.......k...u.......u.......',
  {
    i: 'F:16 | G:16 | C:16 | C:16',
    a: 'F:16 | G:16 | Em:16 | Am:16 | F:16 | G:16 | C:16 | C:16',
    b: 'Dm:16 | Am:16 | Bb:16 | F:16 | Dm:16 | Am:16 | Bb:16 | Gsus4:8 G:8',
    k: 'Am:16 | F:16 | G:16 | A7sus:8 A7:8',
    u: 'G:16 | A:16 | F#m:16 | Bm:16 | G:16 | A:16 | D:16 | D:16',
  },
  { low: 60, high: 76 },
)

const themes = {
  a:
    'A5:3 G5:3 F5:2 C5:4 F5:4 | G5:3 F5:3 G5:2 B5:4 D6:4 | B5:6 A5:2 G5:4 E5:4 | A5:8 -:2 E5:2 G5:2 A5:2 | ' +
    'C6:3 B5:3 A5:2 F5:4 A5:4 | B5:3 A5:3 G5:2 D5:4 G5:4 | E5:3 F5:3 G5:2 C6:4 G5:4 | C6:8 -:2 C5:2 D5:2 E5:2',
  v:
    'A5:2 A5:1 G5:1 -:2 G5:2 F5:2 C5:2 F5:2 A5:2 | G5:3 F5:3 G5:2 B5:2 C6:2 D6:4 | E6:4 D6:2 B5:2 G5:4 E5:4 | ' +
    'A5:2 B5:2 C6:2 E6:8 -:2 | F6:3 E6:3 C6:2 A5:4 C6:4 | D6:3 B5:3 G5:2 B5:4 D6:4 | ' +
    'C6:3 D6:3 E6:2 G6:4 E6:4 | C6:12 -:4',
  b:
    'D5:4 F5:4 A5:8 | C6:4 B5:4 A5:4 E5:4 | D5:4 F5:4 Bb5:8 | A5:4 G5:4 F5:4 C5:4 | ' +
    'D5:4 F5:4 A5:4 D6:4 | C6:6 B5:2 C6:4 E6:4 | D6:8 C6:4 Bb5:4 | G5:4 A5:4 B5:4 D6:4',
  k: 'E6:1 C6:1 A5:1 E5:1 -:12 | F6:1 C6:1 A5:1 F5:1 -:12 | G6:1 D6:1 B5:1 G5:1 -:8 G5:2 B5:2 | D6:4 E6:4 C#6:2 E6:2 G6:2 A6:2',
  e: 'A5:2 A5:1 G5:1 -:2 G5:2 F5:2 C5:2 F5:2 A5:2 | G5:3 F5:3 G5:2 B5:2 C6:2 D6:4 | C6:2 E6:2 G6:2 C7:10 | -:16',
}

/** A row of theme letters before and after the change of key; what follows it is a tone higher. */
function writeTheme(before: string, after: string): Note[] {
  const start = '.'.repeat(before.replaceAll(' ', '').length)
  return [...writeLines(grid, before, themes), ...transposeNotes(writeLines(grid, start + after, themes), 2)]
}

const first = writeTheme('.... a....... v....... b....... k...', 'a.......v.......')

const solo = createChipPulse({ width: 0.25, fade: 0.9, sustain: 0.62, vibratoCents: 18 })
const shadow = createChipPulse({ width: 0.25, fade: 1.2, sustain: 0.3, vibratoCents: 18 })
const pluck = createChipPulse({ width: 0.5, fade: 7, sustain: 0.12 })
const chime = createChipPulse({ width: 0.125, fade: 2.4, sustain: 0, arpeggio: [0, 0, 12, 12] })

function addPulses(desk: Desk): void {
  const soft = equalise({ kind: 'high-shelf', hertz: 5000, decibels: -4 })
  const sung = first.map((note) => ({ ...note, seconds: note.seconds * 0.94 }))
  desk.play({ name: 'lead', loudness: -21, reverb: 0.07, pan: -0.2, effects: [soft] }, solo, sung)
  const late = sung.map((note) => ({
    ...note,
    at: note.at + 3 * grid.stepSeconds,
    velocity: note.velocity * 0.6,
  }))
  desk.play({ name: 'shadow', loudness: -27.5, pan: 0.85, effects: [soft] }, shadow, late)
  const patterns = { a: '0120123201201234', b: '0.2.1.2.3.2.1.2.', c: '0123210123432101' }
  const broken = writeArpeggio(
    grid,
    harmony,
    'aaaa aaaaaaaa cccccccc bbbbbbbb aaaa cccccccc cccccccc',
    patterns,
    0.65,
  )
  desk.play({ name: 'chords', loudness: -26, reverb: 0.08, pan: 0.5, effects: [soft] }, pluck, broken)
  const sparks = writeArpeggio(grid, harmony, '.... ........ a.a.a.a. ........ aaaa a.a.a.a. a.a.a.aa', {
    a: '4---....5---....',
  })
  desk.play(
    { name: 'chime', loudness: -31, reverb: 0.1, echo: 0.35, pan: -0.8, effects: [soft] },
    chime,
    transposeNotes(sparks, 12),
  )
}

function addBottom(desk: Desk): void {
  const basses = writeBass(
    grid,
    harmony,
    'cccc abababad abababad eeeeeeed cccd abababad ababacac'.replaceAll(' ', ''),
    {
      a: '1-1.8.1.1-1.8.5.',
      b: '1-1.8.1.1.8.5.3.',
      c: '1-------8-------',
      d: '1-1.8.1.1.8.5.a.',
      e: '1-----1-5-----8-',
    },
    41,
  )
  desk.play({ name: 'triangle', loudness: -22 }, chipTriangle, basses)
  const kicks = writeHits(grid, '..ab aaaaaaab aaaaaaab ccccccca ...b aaaaaaab aaaaaaac', {
    a: 'X...X...X...X...',
    b: 'X...X...X.X.X.X.',
    c: 'X.....X.X.......',
  })
  desk.play({ name: 'kick', loudness: -23 }, chipKick, kicks)
}

function addNoises(desk: Desk): void {
  const snares = writeHits(grid, '...f aaaaaaaf aaaaaaaf aaaaaaaf ...f aaaaaaaf aaaaaaa.', {
    a: '....X.......X...',
    f: '....X..xX.xxXxXX',
  })
  desk.play({ name: 'snare', loudness: -25.5, reverb: 0.12 }, createChipNoise(4, 6.5), snares)
  const hats = writeHits(grid, '..aa aaaaaaaa bbbbbbbb aaaaaaaa .... bbbbbbbb bbbbbbb.', {
    a: 'o.x.o.x.o.x.o.x.',
    b: 'ooxoooxoooxoooxo',
  })
  desk.play({ name: 'hats', loudness: -33.5, pan: -0.45 }, createChipNoise(1, 18), hats)
  const bursts = writeHits(grid, '.... x....... x....... x....... x... x....... x......x', {
    x: 'X...............',
  })
  desk.play({ name: 'burst', loudness: -31, reverb: 0.1, pan: -0.3 }, createChipNoise(2, 1.1), bursts)
}

export const pocketComet: Score = {
  title: 'Pocket Comet',
  genre: 'Chiptune',
  seconds: grid.at(48) + 1.5,
  room: {
    reverb: { seconds: 0.9, size: 0.5, predelaySeconds: 0.008, dampHertz: 7000, floorHertz: 300 },
    echo: { seconds: 3 * grid.stepSeconds, feedback: 0.4, floorHertz: 400, ceilingHertz: 6000 },
  },
  fades: { in: 0.01, out: 1.5 },
  compose(desk) {
    addPulses(desk)
    addBottom(desk)
    addNoises(desk)
  },
}
