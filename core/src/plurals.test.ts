import { expect, it } from 'vitest'
import { pluralsOf } from './plurals.ts'

it('17.82 a number has the form of its language: Arabic has six', () => {
  const plural = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many'>('ar-u-nu-latn')
  const forms = { zero: '0', one: '1', two: '2', few: 'few #', many: 'many #', other: 'other #' }
  expect([0, 1, 2, 3, 11, 100, 1_000].map((count) => plural(count, forms))).toEqual([
    '0',
    '1',
    '2',
    'few 3',
    'many 11',
    'other 100',
    'other 1,000',
  ])
})

it('17.82 numbers are written as the language writes them', () => {
  const plural = pluralsOf<'one'>('de')
  expect([1, 1_200].map((count) => plural(count, { one: '# Titel', other: '# Titel' }))).toEqual([
    '1 Titel',
    '1.200 Titel',
  ])
})
