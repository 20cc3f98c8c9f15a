import { recordedRate } from '../recording/recording.ts'
import { describe, expect, it } from 'vitest'
import { judgeSession, listPairs, windowMs, type SessionWindow } from './session-windows.ts'
import { delayed, joined, makeNoise, silence, toFrames } from './testing/sounds.ts'
import { toSounds } from './sounds.ts'

const judge = (...recordings: Float32Array[]): SessionWindow[] => [...judgeSession(toSounds(recordings))]
const lags = (windows: SessionWindow[]): (number | null)[] =>
  windows.flatMap(({ pairs }) => pairs.map(({ lagMs }) => lagMs))
const worst = (windows: SessionWindow[], expectedMs: number): number =>
  Math.max(...lags(windows).map((lagMs) => (lagMs === null ? Infinity : Math.abs(lagMs - expectedMs))))

const room = makeNoise(2_000, 1)
/** Without the edges, where what is sought lies outside the recording. */
const inside = (windows: SessionWindow[], edgeMs = 500): SessionWindow[] =>
  windows.filter(({ fromMs }) => fromMs >= edgeMs && fromMs < 2_000 - edgeMs)

describe('the windows of a session', () => {
  it('cover every 40 ms and every pair, whoever sounds', () => {
    const windows = judge(room, room, silence(2_000))
    expect(windows).toHaveLength(2_000 / windowMs)
    expect(windows.every(({ sounding }) => sounding.join() === 'true,true,false')).toBe(true)
    expect(windows.every(({ pairs }) => pairs.length === 1 && pairs[0]?.between.join() === '0,1')).toBe(true)
    expect(listPairs(3)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ])
  })

  it.each([0, 0.31, 5, 37, 60, -12.5, -59])('read an injected skew of %d ms to 0.02 ms', (skewMs) => {
    expect(worst(inside(judge(room, delayed(room, skewMs))), skewMs)).toBeLessThan(0.02)
  })

  it.each([100, 266, -400, 640])('find a skew of %d ms, far outside a window', (skewMs) => {
    expect(worst(inside(judge(room, delayed(room, skewMs)), 680), skewMs)).toBeLessThan(0.02)
  })

  it('follow a player at 0.3 % more speed, and a device clock of 60 ppm, without losing a window', () => {
    const fast = inside(judge(room, delayed(room, 8, 1.003)))
    for (const { fromMs, pairs } of fast) {
      expect(Math.abs((pairs[0]?.lagMs ?? Infinity) - (8 - 0.003 * (fromMs + windowMs / 2)))).toBeLessThan(
        0.1,
      )
    }
    const drifting = inside(judge(room, delayed(room, 0, 1 + 60e-6)))
    for (const { fromMs, pairs } of drifting) {
      expect(Math.abs((pairs[0]?.lagMs ?? Infinity) + 60e-6 * (fromMs + windowMs / 2))).toBeLessThan(0.02)
    }
  })

  it('keep a pair that plays different music, as one without a skew', () => {
    const windows = judge(room.subarray(0, toFrames(800)), makeNoise(800, 77))
    expect(lags(windows)).toHaveLength(800 / windowMs)
    expect(lags(windows).filter((lagMs) => lagMs !== null)).toEqual([])
  })

  it('keep a torn piece: noise in the middle of the same music is a pair without a skew, not a gap', () => {
    const torn = joined(room.subarray(0, toFrames(800)), makeNoise(400, 5), room.subarray(toFrames(1_200)))
    const windows = judge(room, torn)
    const without = windows.filter(({ pairs }) => pairs[0]?.lagMs === null).map(({ fromMs }) => fromMs)
    expect(without).toEqual(Array.from({ length: 10 }, (_, index) => 800 + index * windowMs))
  })

  it('read the skew of what is left in a window with a dropout of 10 ms', () => {
    const dropped = room.slice()
    dropped.fill(0, toFrames(1_010), toFrames(1_020))
    expect(worst(judge(room, dropped), 0)).toBeLessThan(0.1)
  })

  it('read music that a codec has cut off at 8 kHz, with rounding noise above', () => {
    const dull = lowPass(room)
    expect(worst(inside(judge(dull, delayed(dull, 3.3))), 3.3)).toBeLessThan(0.1)
  })
})

/** A windowed-sinc low pass at 8 kHz, rounded to 16 bits. */
function lowPass(samples: Float32Array): Float32Array {
  const cutoff = 8_000 / recordedRate
  const taps = Array.from({ length: 127 }, (_, index) => {
    const at = index - 63
    const sinc = at === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * at) / (Math.PI * at)
    return sinc * (0.54 + 0.46 * Math.cos((Math.PI * at) / 63))
  })
  return samples.map((_, frame) => {
    const sum = taps.reduce((total, tap, index) => total + tap * (samples[frame + index - 63] ?? 0), 0)
    return Math.round(sum * 32_768) / 32_768
  })
}
