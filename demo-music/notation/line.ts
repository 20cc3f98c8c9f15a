import { parseChord } from './chord.ts'
import { parsePitch } from './pitch.ts'
import type { Chord } from './chord.ts'

/** Something that begins at a sixteenth and lasts for some. */
interface Timed {
  step: number
  steps: number
}

export interface LineNote extends Timed {
  pitch: number
  velocity: number
}

const plainVelocity = 0.75
const accentVelocity = 1
const softVelocity = 0.5

interface Token extends Timed {
  text: string
}

/** 'E5:6 -:2 | ...': what sounds, and for how many sixteenths. Throws where a bar line is in the wrong place. */
function splitTokens(text: string, stepsPerBar: number): { tokens: Token[]; steps: number } {
  const tokens: Token[] = []
  let step = 0
  for (const part of text.trim().split(/\s+/)) {
    if (part === '|') {
      if (step % stepsPerBar !== 0)
        throw new Error(`The bar line after ${step} steps is misplaced in "${text}"`)
      continue
    }
    const [name = '', length = ''] = part.split(':')
    const steps = Number(length)
    if (!(steps > 0)) throw new Error(`"${part}" has no length`)
    tokens.push({ text: name, step, steps })
    step += steps
  }
  return { tokens, steps: step }
}

/** A melody: 'A4:4 C5+E5:8 -:4', '+' for notes that sound together, '!' after a note for loud, '?' for soft. */
export function parseLine(text: string, stepsPerBar = 16): LineNote[] {
  return splitTokens(text, stepsPerBar).tokens.flatMap(({ text: names, step, steps }) => {
    if (names === '-') return []
    return names.split('+').map((name) => {
      const mark = name.slice(-1)
      const velocity = mark === '!' ? accentVelocity : mark === '?' ? softVelocity : plainVelocity
      return { step, steps, pitch: parsePitch(name.replace(/[!?]$/, '')), velocity }
    })
  })
}

export interface TimedChord extends Timed {
  chord: Chord
}

/** Chords with their lengths: 'Dm9:16 | G13:8 C/E:8 |'. */
export function parseChords(text: string, stepsPerBar = 16): TimedChord[] {
  return splitTokens(text, stepsPerBar).tokens.map(({ text: symbol, step, steps }) => ({
    step,
    steps,
    chord: parseChord(symbol),
  }))
}

const hitVelocities: Record<string, number> = { X: 1, x: 0.8, o: 0.5, '.': 0 }

/** A drum pattern, a character a sixteenth: X loud, x plain, o soft, . nothing; spaces are free. */
export function parseHits(text: string): { step: number; velocity: number }[] {
  return text
    .replaceAll(/\s/g, '')
    .split('')
    .flatMap((character, step) => {
      const velocity = hitVelocities[character]
      if (velocity === undefined) throw new Error(`"${character}" is no hit in "${text}"`)
      return velocity > 0 ? [{ step, velocity }] : []
    })
}
