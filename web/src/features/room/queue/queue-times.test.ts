import { expect, it } from 'vitest'
import { formatSpan } from '../../../ui/music/format-time.ts'
import { makeTrack } from '../../../testing/samples.ts'
import { timeQueue } from './queue-times.ts'

it('17.47 adds up durations, and knows no start after an unknown one', () => {
  const unknown = makeTrack({ duration: 180_000, duration_unknown: true })
  const [a, b, d] = [60_000, 90_000, 30_000].map((duration) => makeTrack({ duration }))
  const entries = [a!, b!, unknown, d!]
  expect(timeQueue(entries)).toEqual({
    startsAfterMs: [0, 60_000, 150_000, null],
    totalMs: 180_000,
    isExact: false,
  })
  expect(timeQueue(entries.slice(0, 2))).toMatchObject({ totalMs: 150_000, isExact: true })
})

it('17.47 says spans in minutes, and longer ones in hours', () => {
  expect([20_000, 60_000, 434_000, 3_600_000, 7_890_000].map(formatSpan)).toEqual([
    '1 min',
    '1 min',
    '7 min',
    '1 h',
    '2 h 11 min',
  ])
})
