import { AppError } from '@earshot/core/protocol/errors'
import { expect, it } from 'vitest'
import { createBatched, createBatchedLookup } from './batched.ts'

it('16.81 calls that come while a batch runs make the next one', async () => {
  const batches: (readonly number[])[] = []
  const double = createBatched(async (keys: readonly number[]) => {
    batches.push(keys)
    await Promise.resolve()
    return keys.map((key) => key * 2)
  })
  const numbers = Array.from({ length: 500 }, (_, index) => index)
  expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((number) => number * 2))
  expect(batches.map(({ length }) => length)).toEqual([1, 200, 200, 99])
  expect(await double(7)).toBe(14)
})

it('16.81 one bad key fails alone', async () => {
  const run = createBatched(async (keys: readonly number[]) => {
    await Promise.resolve()
    if (keys.includes(3)) throw new Error('bad key')
    return keys
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map(run))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

it('16.81 where the database is not available, a batch fails at once', async () => {
  let runs = 0
  const run = createBatched(async () => {
    runs += 1
    await Promise.resolve()
    throw new AppError('unavailable')
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map(run))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  // The first call, and a batch of the others.
  expect(runs).toBe(2)
})

it('16.81 a look-up reads each key of a batch once, and resolves to null where there is none', async () => {
  const batches: number[][] = []
  const find = createBatchedLookup(async (keys: number[]) => {
    batches.push(keys)
    await Promise.resolve()
    return new Map(keys.filter((key) => key < 3).map((key) => [key, `value ${key}`]))
  })
  expect(await Promise.all([1, 2, 3, 2, 3].map(find))).toEqual(['value 1', 'value 2', null, 'value 2', null])
  expect(batches).toEqual([[1], [2, 3]])
})
