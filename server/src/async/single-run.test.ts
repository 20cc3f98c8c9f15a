import { expect, it } from 'vitest'
import { createSingleRun } from './single-run.ts'

it('runs once more after the present run, however often it was asked', async () => {
  let runs = 0
  const finish: (() => void)[] = []
  const single = createSingleRun(async () => {
    runs += 1
    await new Promise<void>((resolve) => finish.push(resolve))
  })
  const first = single.request()
  const others = [single.request(), single.request(), single.request()]
  expect(runs).toBe(1)

  finish[0]?.()
  await first
  await expect.poll(() => runs).toBe(2)
  finish[1]?.()
  await Promise.all(others)
  await single.idle()
  expect(runs).toBe(2)
})
