import { describe, expect, it } from 'vitest'
import { restAfter } from './read-pace.ts'

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
