import { expect, it } from 'vitest'
import { toSpeakers } from './speakers.ts'

/** A channel of two samples. */
const channel = (value: number) => Float32Array.of(value, -value)
const channels = (count: number) => Array.from({ length: count }, (_, index) => channel(index + 1))

it.each([1, 2, 4, 6])('15.51 leaves %i channels as they are, which browsers mix down', (count) => {
  expect(toSpeakers(channels(count))).toEqual(channels(count))
})

it.each([
  [3, [1, 2, 3, 0, 0, 0]],
  [5, [1, 2, 3, 0, 4, 5]],
  [7, [1, 2, 3, 4, 6 + 5 * Math.SQRT1_2, 7 + 5 * Math.SQRT1_2]],
  [8, [1, 2, 3, 4, (7 + 5) * Math.SQRT1_2, (8 + 6) * Math.SQRT1_2]],
])('15.51 brings %i channels into 5.1, so that the centre is heard', (count, expected) => {
  const mixed = toSpeakers(channels(count))
  expect(mixed.map(([first]) => first)).toEqual(expected.map((value) => Math.fround(value)))
  expect(mixed.map(([, second]) => second)).toEqual(expected.map((value) => 0 - Math.fround(value)))
})
