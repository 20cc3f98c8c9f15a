import { describe, expect, it } from 'vitest'
import { bytesAhead, pauseForProbes, restAfter } from './read-pace.ts'

/** Half a second of sound, after which the line is left free. */
const rest = (aheadS: number, tookMs: number) => restAfter({ aheadS, soundMs: 500, tookMs })

describe('between two requests the line is left free', () => {
  it.each([
    ['not at all while the next second is missing', 0.9, 100, 0],
    ['as long as the request took, on a line that carries three times the sound', 1, 150, 150],
    ['as long as reading stays 1.5 times as fast as playing, on a slower one', 3, 250, 83],
    ['not at all, on a line that hardly carries the sound', 4.9, 400, 0],
    ['as long as the request took, on any line, once five seconds are there', 5, 400, 400],
    ['as long as reading is 2.5 times as fast as playing, once ten seconds are there', 10, 10, 190],
    ['as long as the request took, where that is longer', 10, 150, 150],
  ])('10.5c %s', (_how, aheadS, tookMs, expectedMs) => {
    expect(rest(aheadS, tookMs)).toBeCloseTo(expectedMs, 0)
  })
})

it('15.52 what the decoder reads for itself counts, so that 24 bit at 96 kHz starts with less than a megabyte', () => {
  const [mp3, flac, wav] = [24_000, 100_000, 576_000].map((rate) => bytesAhead(false, rate))
  expect(mp3).toBeCloseTo(240_000 - 19_200, 0)
  expect(flac).toBeCloseTo(262_144 - 80_000, 0)
  expect(wav).toBe(0)
  expect(bytesAhead(true, 576_000)).toBe(24 * 1024 * 1024)
})

it.each([
  ['on a slow line that carries more than the sound', 1.5, 130, 250],
  ['not before a second and a half is there', 1.4, 130, 0],
  ['not on a fast line', 5, 60, 0],
  ['not on a line that hardly carries the sound', 5, 400, 0],
])('15.52 probes get a free line %s', (_when, aheadS, tookMs, expectedMs) => {
  expect(pauseForProbes({ aheadS, soundMs: 500, tookMs })).toBe(expectedMs)
})
