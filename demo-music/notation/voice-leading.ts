import type { Chord } from './chord.ts'

export interface VoicingRange {
  low: number
  high: number
  /** Leaves the root to the bass: for chords of five notes and more. */
  rootless?: boolean
}

/** Two voices a semitone apart at the top of a chord sound sharp: as bad as moving this far. */
const topSemitoneCost = 4
/** Wandering out of the middle of the range by one semitone is as bad as moving by this much. */
const driftCost = 0.6

/** The notes of a chord in every close and every drop-2 position that fits into the range. */
function listVoicings(chord: Chord, range: VoicingRange): number[][] {
  const intervals = range.rootless && chord.intervals.length > 4 ? chord.intervals.slice(1) : chord.intervals
  const classes = intervals.map((interval) => (chord.root + interval) % 12).toSorted((a, b) => a - b)
  const close: number[][] = []
  for (let turn = 0; turn < classes.length; turn += 1) {
    const lifted = classes.map((pitch, index) => (index < turn ? pitch + 12 : pitch))
    for (let octave = 0; octave < 10; octave += 1) {
      close.push(lifted.map((pitch) => pitch + 12 * octave).toSorted((a, b) => a - b))
    }
  }
  const open = close.map((voices) =>
    voices
      .map((pitch, index) => (index === voices.length - 2 ? pitch - 12 : pitch))
      .toSorted((a, b) => a - b),
  )
  return [...close, ...open].filter((voices) =>
    voices.every((pitch) => pitch >= range.low && pitch <= range.high),
  )
}

function measureMovement(from: readonly number[], to: readonly number[]): number {
  const distanceTo = (pitch: number, others: readonly number[]) =>
    Math.min(...others.map((other) => Math.abs(other - pitch)))
  const there = to.reduce((sum, pitch) => sum + distanceTo(pitch, from), 0)
  return from.reduce((sum, pitch) => sum + distanceTo(pitch, to), there) / 2
}

function rateVoicing(voices: readonly number[], previous: readonly number[], range: VoicingRange): number {
  const middle = (range.low + range.high) / 2
  const mean = voices.reduce((sum, pitch) => sum + pitch, 0) / voices.length
  const topStep = (voices.at(-1) ?? 0) - (voices.at(-2) ?? 0)
  return (
    (previous.length > 0 ? measureMovement(previous, voices) : 0) +
    driftCost * Math.abs(mean - middle) +
    (topStep === 1 ? topSemitoneCost : 0)
  )
}

/** A voicing for each chord, so that the voices move as little as they can. Throws if a chord does not fit. */
export function leadVoices(chords: readonly Chord[], range: VoicingRange): number[][] {
  const led: number[][] = []
  for (const chord of chords) {
    const previous = led.at(-1) ?? []
    const ranked = listVoicings(chord, range)
      .map((voices) => ({ voices, cost: rateVoicing(voices, previous, range) }))
      .toSorted((a, b) => a.cost - b.cost)
    const best = ranked[0]
    if (!best) throw new Error(`A chord on ${chord.root} does not fit between ${range.low} and ${range.high}`)
    led.push(best.voices)
  }
  return led
}
