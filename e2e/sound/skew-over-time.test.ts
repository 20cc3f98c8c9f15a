import { describe, expect, it } from 'vitest'
import { recordedRate } from './recording.ts'
import { inSyncSince, skewOverTime } from './skew-over-time.ts'
import { makeNoiseWav } from './noise-tracks.ts'

const toSamples = (ms: number) => Math.round((ms / 1_000) * recordedRate)

/** The samples of a noise track. */
function makeNoise(ms: number, seed: number): Float32Array {
  const wav = makeNoiseWav({ seconds: ms / 1_000, title: 'Noise', seed })
  const samples = wav.subarray(wav.indexOf('data') + 8)
  return Float32Array.from({ length: toSamples(ms) }, (_, frame) => samples.readInt16LE(frame * 2) / 32_768)
}

/** The same sound, `lateMs` late at first, played faster or slower by `rate`. */
function playBack(sound: Float32Array, lateMs: number, rate = 1): Float32Array {
  return Float32Array.from(sound, (_, frame) => {
    const at = frame * rate - toSamples(lateMs)
    const before = Math.floor(at)
    const share = at - before
    return (1 - share) * (sound[before] ?? 0) + share * (sound[before + 1] ?? 0)
  })
}

/** `room` as a late joiner plays it: silent at first, then `lateMs` late, then in sync. */
function joinLate(
  room: Float32Array,
  at: { soundsMs: number; lateMs: number; inSyncMs: number },
): Float32Array {
  const joined = new Float32Array(room.length)
  const [sounds, inSync] = [toSamples(at.soundsMs), toSamples(at.inSyncMs)]
  joined.set(playBack(room, at.lateMs).subarray(sounds, inSync), sounds)
  joined.set(room.subarray(inSync), inSync)
  return joined
}

const room = makeNoise(2_000, 1)

describe('the skew over time', () => {
  it('follows a faster player to a fraction of a millisecond', () => {
    const windows = skewOverTime(room, playBack(room, 8, 1.003))
    const inTheMiddle = windows.find(({ fromMs }) => fromMs === 1_000)
    expect(windows[0]?.lagMs).toBeCloseTo(8 - 0.003 * 25, 0)
    expect(inTheMiddle?.lagMs).toBeCloseTo(8 - 0.003 * 1_025, 0)
    expect(windows.every(({ lagMs }) => lagMs !== null)).toBe(true)
  })

  it('finds a skew longer than a window around the expected skew', () => {
    for (const lateMs of [700, 310]) {
      const late = playBack(room, lateMs)
      const windows = skewOverTime(room, late, { aroundMs: lateMs + 1 })
      expect(windows[5]?.lagMs).toBeCloseTo(lateMs, 1)
      expect(skewOverTime(late, room, { aroundMs: -lateMs })[5]?.lagMs).toBeCloseTo(-lateMs, 1)
    }
  })

  it('is null where one is silent or the sounds differ', () => {
    const silent = new Float32Array(room.length)
    for (const [a, b] of [
      [room, silent],
      [silent, silent],
      [room, makeNoise(2_000, 77)],
    ] as const) {
      const windows = skewOverTime(a, b)
      expect(windows).toHaveLength(40)
      expect(windows.every(({ lagMs }) => lagMs === null)).toBe(true)
    }
  })
})

describe('inSyncSince', () => {
  it('finds the moment from which on both sound the same at the same time', () => {
    const joined = joinLate(room, { soundsMs: 400, lateMs: 40, inSyncMs: 1_000 })
    const since = inSyncSince(skewOverTime(room, joined), 5)
    expect(since).toBeGreaterThanOrEqual(1_000)
    expect(since).toBeLessThanOrEqual(1_100)
  })

  it('counts from the start of the sound where that is in sync at once', () => {
    const joined = joinLate(room, { soundsMs: 400, lateMs: 0, inSyncMs: 1_000 })
    expect(inSyncSince(skewOverTime(room, joined), 5)).toBeLessThanOrEqual(500)
  })

  it('ignores windows in sync before a later error', () => {
    const joined = joinLate(room, { soundsMs: 1_000, lateMs: 40, inSyncMs: 2_000 })
    joined.set(room.subarray(0, toSamples(1_000)))
    expect(inSyncSince(skewOverTime(room, joined), 5)).toBeNull()
    expect(inSyncSince([], 5)).toBeNull()
  })
})
