import { expect, it } from 'vitest'
import { opusPacketMs } from './opus-packets.ts'

/** The first bytes of a packet: its configuration, how its frames are coded, and their count where it is stated. */
const head = (config: number, code: number, count = 0) => Uint8Array.of((config << 3) | code, count)

it.each([
  ['SILK', 0, [10, 20, 40, 60]],
  ['SILK, wide band', 8, [10, 20, 40, 60]],
  ['hybrid', 12, [10, 20, 10, 20]],
  ['CELT', 16, [2.5, 5, 10, 20]],
  ['CELT, full band', 28, [2.5, 5, 10, 20]],
])('reads the duration of one frame of %s', (_, first, durations) => {
  expect(durations.map((_duration, index) => opusPacketMs(head(first + index, 0)))).toEqual(durations)
})

it('counts the frames of a packet', () => {
  expect([1, 2].map((code) => opusPacketMs(head(31, code)))).toEqual([40, 40])
  // The upper bits of the count say how the frames are packed.
  expect(opusPacketMs(head(31, 3, 0xc0 | 6))).toBe(120)
})
