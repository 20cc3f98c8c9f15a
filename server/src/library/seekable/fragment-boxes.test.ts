import { expect, it } from 'vitest'
import { randomAccessBoxes } from './fragment-boxes.ts'

const place = { startTime: 480_000, duration: 480_000, offset: 1_000, length: 10 }

/** The version and the length of the table of a file whose last fragment is at a place. */
function describeTable(last: { startTime: number; offset: number }) {
  const boxes = randomAccessBoxes([place, { ...place, ...last }])
  return { version: boxes[16], bytes: boxes.length }
}

it('15.52 the table at the end of a stream has short numbers where they suffice', () => {
  const short = describeTable({ startTime: 960_000, offset: 2 ** 32 - 1 })
  expect(short.version).toBe(0)
  const long = [
    { startTime: 2 ** 32, offset: 2_000 },
    { startTime: 960_000, offset: 2 ** 32 },
  ].map(describeTable)
  expect(long.map(({ version }) => version)).toEqual([1, 1])
  expect(long.map(({ bytes }) => bytes - short.bytes)).toEqual([16, 16])
})
