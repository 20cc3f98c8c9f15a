import { addDrone, addNoise } from '../drums/texture.ts'
import { autoPan, chorus } from '../effects/modulation.ts'
import { equalise, sweepFilter } from '../effects/tone.ts'
import { feltPiano } from '../instruments/felt-piano.ts'
import { bowl } from '../instruments/mallets.ts'
import { createSynth } from '../instruments/subtractive.ts'
import { createVoice } from '../instruments/voice.ts'
import { transposeNotes, writeLines } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { holdChords, writeHarmony } from '../notation/harmony.ts'
import { createRandom } from '../signal/random.ts'
import { sampleRate } from '../signal/stereo.ts'
import type { Note } from '../instruments/note.ts'
import type { Desk } from '../mix/desk.ts'
import type { Curve } from '../signal/curve.ts'
import type { Score } from './score.ts'

// No beat: a bar is one breath of five and a half seconds, a chord lasts two.
const grid = createGrid({ tempo: 240 / 5.5, bars: 16 })
const harmony = writeHarmony(
  grid,
  'a...............',
  {
    a: 'Dmaj9:32 | Bm11:32 | Gmaj7#11:32 | A9sus:32 | ' + 'F#m11:32 | Gmaj9:32 | Em11:32 | Dmaj9:32',
  },
  { low: 52, high: 76 },
)

const haze = createSynth({
  wave: 'saw',
  voices: 5,
  detune: 18,
  spread: 0.8,
  amplitude: { attack: 3.2, decay: 4, sustain: 0.85, release: 6 },
  cutoff: 900,
  sweepOctaves: 1.4,
  sweep: { attack: 4.5, decay: 6, sustain: 0.3, release: 5 },
})
const shimmer = createSynth({
  wave: 'triangle',
  voices: 4,
  detune: 14,
  spread: 1,
  amplitude: { attack: 4, decay: 4, sustain: 0.8, release: 6 },
  cutoff: 5200,
})
const choir = createVoice({
  vowel: 'oo',
  amplitude: { attack: 2.2, decay: 4, sustain: 0.8, release: 4 },
  vibratoCents: 14,
  breath: 0.25,
})

/** Rises and falls between two values once in so many seconds. */
function createTide(low: number, high: number, seconds: number, phase: number): Curve {
  return (frame) =>
    low + ((high - low) * (1 - Math.cos((2 * Math.PI * frame) / (seconds * sampleRate) + phase))) / 2
}

function addPads(desk: Desk): void {
  const held = holdChords(grid, harmony, 0.7)
  const drift = createTide(1100, 5200, 31, 0)
  const wide = chorus({ hertz: 0.17, seconds: 0.005, mix: 0.5 })
  desk.play(
    {
      name: 'haze',
      loudness: -21,
      reverb: 0.45,
      effects: [
        wide,
        sweepFilter('low', drift),
        equalise({ kind: 'low-cut', hertz: 130 }, { kind: 'peak', hertz: 340, decibels: -4.5, q: 0.7 }),
      ],
    },
    haze,
    held,
  )
  desk.play(
    {
      name: 'shimmer',
      loudness: -25,
      reverb: 0.7,
      effects: [autoPan(0.11, 0.5)],
      level: createTide(0.35, 1, 23, 0),
    },
    shimmer,
    transposeNotes(held, 12).filter((note) => note.pitch > 76),
  )
  const sung = harmony.flatMap(({ start, voices }) =>
    [voices.at(-1), voices.at(-3)].flatMap((pitch, index) =>
      pitch === undefined
        ? []
        : [{ at: grid.at(0, start + 6 + 5 * index), seconds: 6.5, pitch, velocity: 0.7, pan: index - 0.5 }],
    ),
  )
  desk.play({ name: 'choir', loudness: -25.5, reverb: 0.7, effects: [wide] }, choir, sung)
}

/** Bowls that are struck now and then, always with a note of the chord that sounds. */
function strikeBowls(): Note[] {
  const random = createRandom('bowls')
  const notes: Note[] = []
  for (let at = 4; at < grid.at(15, 4); at += random.between(1.3, 3.6)) {
    const chord = harmony.find(({ end }) => at < grid.at(0, end))
    const [lowest = 60, ...others] = chord?.voices ?? []
    const pitch = random.pick([lowest, ...others]) + random.pick([0, 12, 12, 24])
    notes.push({ at, seconds: 4, pitch, velocity: random.between(0.35, 0.8), pan: random.between(-0.7, 0.7) })
  }
  return notes
}

function addBells(desk: Desk): void {
  desk.play({ name: 'bowls', loudness: -26, reverb: 0.5, echo: 0.4 }, bowl, strikeBowls())
  const motif = {
    a: '-:2 F#5:3 E5:2 A4:9 | -:10 C#5:2 E5:4',
    b: '-:2 F#5:3 E5:2 B4:9 | -:8 A4:3 D5:5',
    c: '-:3 D5:3 F#5:2 C#5:8 | -:8 B4:2 D5:6',
    d: '-:2 E5:3 D5:2 B4:9 | -:16',
    e: '-:3 C#5:3 E5:2 A4:8 | -:10 B4:2 F#4:4',
    f: '-:2 F#5:3 D5:2 B4:3 A4:6 | -:16',
    g: '-:4 G5:4 F#5:2 D5:6 | -:16',
    h: '-:2 F#5:3 E5:3 A4:8 | -:16',
  }
  const touched = writeLines(grid, 'a.b.c.d.e.f.g.h.', motif)
  desk.play(
    {
      name: 'piano',
      loudness: -24,
      reverb: 0.5,
      echo: 0.5,
      looseness: 0.05,
      effects: [equalise({ kind: 'high-shelf', hertz: 2500, decibels: 4 })],
    },
    feltPiano,
    touched.map((note) => ({ ...note, seconds: note.seconds + 2, velocity: 0.6 })),
  )
}

function addSea(desk: Desk): void {
  const near = createTide(500, 1900, 9.7, 0.6)
  const far = createTide(1500, 4200, 14.3, 2)
  const nearLevel = createTide(0.1, 1, 9.7, 0)
  const farLevel = createTide(0.05, 0.5, 14.3, 1.4)
  desk.add({ name: 'surf', loudness: -32.5, reverb: 0.15 }, (out, random) => {
    addNoise(out, near, nearLevel, 0.6, random)
    addNoise(out, far, farLevel, 0.6, random)
  })
  const depth = createTide(0.35, 1, 22, Math.PI)
  desk.add({ name: 'drone', loudness: -29, reverb: 0.1 }, (out) => {
    addDrone(out, 73.42, depth)
    addDrone(out, 110, (frame) => 0.35 * depth(frame))
  })
}

export const tidalRoom: Score = {
  title: 'Tidal Room',
  genre: 'Ambient',
  seconds: grid.at(16) + 6,
  room: {
    reverb: { seconds: 7, size: 1.5, predelaySeconds: 0.04, dampHertz: 5200, floorHertz: 160 },
    echo: { seconds: 0.92, feedback: 0.55, floorHertz: 300, ceilingHertz: 3200 },
  },
  fades: { in: 4, out: 9 },
  compose(desk) {
    addPads(desk)
    addBells(desk)
    addSea(desk)
  },
}
