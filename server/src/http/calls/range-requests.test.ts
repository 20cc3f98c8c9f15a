import { expect, it } from 'vitest'
import { isPlainRange } from '../byte-ranges.ts'

it.each([
  ['bytes=0-0', true],
  ['bytes=0-99', true],
  ['bytes=0-500', true],
  ['bytes=99-', true],
  ['bytes=500-', true],
  ['bytes=-1', true],
  ['bytes=-100', true],
  [' bytes=1-2 ', true],
  ['bytes=-101', false],
  ['bytes=5-2', false],
  ['bytes=-', false],
  ['bytes=0-1,5-6', false],
  ['bytes=a-b', false],
  ['items=0-1', false],
  ['', false],
  [undefined, false],
])('%s is one valid range of a file of 100 bytes: %s', (range, isPlain) => {
  expect(isPlainRange(range, 100)).toBe(isPlain)
})
