import { expect, it } from 'vitest'
import { createRunOnce } from './run-once.ts'

it('runs tasks in turn, each key once at a time, and refuses those behind too many', async () => {
  const runOnce = createRunOnce<string>(2)
  const started: string[] = []
  const first = Promise.withResolvers<string>()
  const request = async (key: string, result: Promise<string> | string = key) =>
    await runOnce(key, async () => {
      started.push(key)
      return await result
    })
  const asked = [request('a', first.promise), request('a'), request('b'), request('c'), request('b')]
  expect(await request('d')).toBe(null)
  expect(started).toEqual(['a'])
  first.resolve('A')
  expect(await Promise.all(asked)).toEqual(['A', 'A', 'b', 'c', 'b'])
  expect(started).toEqual(['a', 'b', 'c'])
  expect(await request('a')).toBe('a')
})

it('runs a key again after it failed', async () => {
  const runOnce = createRunOnce<string>(1)
  await expect(runOnce('a', () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
  expect(await runOnce('a', () => Promise.resolve('read'))).toBe('read')
})
