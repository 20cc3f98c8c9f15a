import { expect, it } from 'vitest'
import { formatAgo, formatClock, formatDay, formatSentAt, formatWait } from './format-time.ts'

it('2.23b times are m:ss', () => {
  expect([0, 999, 61_000, 600_000, 3_661_000, -5].map(formatClock)).toEqual([
    '0:00',
    '0:00',
    '1:01',
    '10:00',
    '61:01',
    '0:00',
  ])
})

it('2.13b the time of creation is relative', () => {
  const now = Date.UTC(2026, 5, 15, 12)
  const agoMs = [
    0,
    -9_000,
    59_000,
    60_000,
    3_600_000,
    86_400_000,
    3 * 86_400_000,
    15 * 86_400_000,
    400 * 86_400_000,
  ]
  expect(agoMs.map((ms) => formatAgo(now - ms, now))).toEqual([
    'just now',
    'just now',
    'just now',
    '1 minute ago',
    '1 hour ago',
    'yesterday',
    '3 days ago',
    '2 weeks ago',
    'last year',
  ])
})

it('a message from another day has a date', () => {
  const now = new Date(2026, 5, 15, 12).getTime()
  expect(formatSentAt(new Date(2026, 5, 15, 9, 5).getTime(), now)).toBe('09:05')
  expect(formatSentAt(new Date(2026, 5, 14, 23, 59).getTime(), now)).toBe('Jun 14, 23:59')
})

it('17.56b formats a day by its distance, with the year where it is another one', () => {
  const now = new Date(2026, 5, 15, 0, 30).getTime()
  const day = (...date: [number, number, number, number?]) => formatDay(new Date(...date).getTime(), now)
  expect(day(2026, 5, 15, 23)).toBe('Today')
  expect(day(2026, 5, 14, 23)).toBe('Yesterday')
  expect(day(2026, 5, 13)).toBe('Saturday, June 13')
  expect(day(2025, 11, 31)).toBe('December 31, 2025')
})

it('17.348 a long wait is told in minutes and hours, never too short', () => {
  expect([1, 59, 60, 61, 543, 3_600, 80_000].map(formatWait)).toEqual([
    'in 1 second',
    'in 59 seconds',
    'in 1 minute',
    'in 2 minutes',
    'in 10 minutes',
    'in 1 hour',
    'in 23 hours',
  ])
})
