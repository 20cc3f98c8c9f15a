import { makeNoiseWav } from '../../recording/noise-tracks.ts'
import { interpolate } from '../interpolate.ts'
import { recordedRate } from '../../recording/recording.ts'

export const toFrames = (ms: number): number => Math.round((ms / 1_000) * recordedRate)

/** The samples of a noise track. */
export function makeNoise(ms: number, seed: number): Float32Array {
  const wav = makeNoiseWav({ seconds: ms / 1_000, title: 'Noise', seed })
  const samples = wav.subarray(wav.indexOf('data') + 8)
  return Float32Array.from({ length: toFrames(ms) }, (_, frame) => samples.readInt16LE(frame * 2) / 32_768)
}

export const silence = (ms: number): Float32Array => new Float32Array(toFrames(ms))

/** The same sound, `lateMs` late at first, played faster or slower by `rate`. */
export function delayed(sound: Float32Array, lateMs: number, rate = 1): Float32Array {
  const late = (lateMs / 1_000) * recordedRate
  return Float32Array.from(sound, (_, frame) => interpolate(sound, frame * rate - late))
}

/** Pieces one after the other. */
export function joined(...pieces: Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
