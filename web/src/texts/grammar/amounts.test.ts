import { expect, it } from 'vitest'
import { figures as arabic } from '../ar/admin.ts'
import { figures as german } from '../de/admin.ts'
import { figures } from '../admin.ts'

it('16.36b states a duration in its two largest units', () => {
  const ms = 93_780_000
  expect([figures, german, arabic].map((texts) => texts.duration(ms))).toEqual([
    '1 d 2 h',
    '1 T 2 Std.',
    '1 ي 2 س',
  ])
  expect(figures.duration(ms - 86_400_000)).toBe('2 h 3 min')
})

it('16.36b states a size in the unit that leaves it at most three digits', () => {
  expect([0, 999, 7_250, 42e9, 5e15].map(figures.bytes)).toEqual([
    '0 B',
    '999 B',
    '7.3 kB',
    '42 GB',
    '5,000 TB',
  ])
  expect(german.bytes(1.5e9)).toBe('1,5 GB')
  expect(arabic.bytes(999)).toBe('\u2068999 B\u2069')
})
