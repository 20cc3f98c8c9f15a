import { expect, it } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

it('runs at most so many tasks at a time, in order, and continues after a failure', async () => {
  const limit = createConcurrencyLimit(2)
  const started: number[] = []
  const finish: (() => void)[] = []
  let running = 0
  let most = 0
  const tasks = [0, 1, 2, 3, 4].map((index) =>
    limit(async () => {
      started.push(index)
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => (finish[index] = resolve))
      running -= 1
      if (index === 1) throw new Error('broken')
      return index
    }).catch((error: Error) => error.message),
  )
  for (let index = 0; index < tasks.length; index += 1) {
    expect(started).toContain(index)
    finish[index]?.()
    await tasks[index]
  }
  expect(await Promise.all(tasks)).toEqual([0, 'broken', 2, 3, 4])
  expect(started).toEqual([0, 1, 2, 3, 4])
  expect(most).toBe(2)
})
