import { sampleRate, toFrames } from '../signal/stereo.ts'
import type { Random } from '../signal/random.ts'
import type { Stereo } from '../signal/stereo.ts'

/** Times in seconds, pitch in semitones (middle C is 60), velocity above 0 and up to 1. */
export interface Note {
  at: number
  seconds: number
  pitch: number
  velocity: number
  /** -1 is left, 1 is right. */
  pan?: number
  /** The pitch it slides up or down from. */
  glideFrom?: number
}

/** Adds the sound of one note to `out`. */
export type Instrument = (out: Stereo, note: Note, random: Random) => void

/** One frame of a stereo sound; a sounding note fills it in anew for every frame. */
export interface Frame {
  left: number
  right: number
}

/** Every sound is faded out over its last moments, so that none ends in a click. */
const taperFrames = 192

/** Adds `seconds` of sound from the instant `at`; what would lie outside of `out` is dropped. */
export function addStereo(out: Stereo, at: number, seconds: number, next: (frame: Frame) => void): void {
  const start = toFrames(at)
  const length = toFrames(seconds)
  const end = Math.min(start + length, out.left.length)
  const sounding: Frame = { left: 0, right: 0 }
  for (let index = Math.max(0, start); index < end; index += 1) {
    next(sounding)
    const taper = Math.min(1, (start + length - index) / taperFrames)
    out.left[index] = (out.left[index] ?? 0) + sounding.left * taper
    out.right[index] = (out.right[index] ?? 0) + sounding.right * taper
  }
}

/** As `addStereo` for one channel, placed between left and right at equal power. */
export function addMono(out: Stereo, at: number, seconds: number, pan: number, next: () => number): void {
  const { left, right } = panGains(pan)
  addStereo(out, at, seconds, (frame) => {
    const sample = next()
    frame.left = sample * left
    frame.right = sample * right
  })
}

/** Equal power: 0.71 on both sides in the middle. */
export function panGains(pan: number): Frame {
  const angle = ((pan + 1) * Math.PI) / 4
  return { left: Math.cos(angle), right: Math.sin(angle) }
}

/** Calls a cheap function every frame and a dear one only every `interval` frames, keeping its result. */
export function holdValue(interval: number, read: (seconds: number) => number): () => number {
  let frame = 0
  const state = { value: 0 }
  return () => {
    if (frame % interval === 0) state.value = read(frame / sampleRate)
    frame += 1
    return state.value
  }
}

export function playNotes(out: Stereo, instrument: Instrument, notes: readonly Note[], random: Random): void {
  for (const note of notes) instrument(out, note, random)
}
