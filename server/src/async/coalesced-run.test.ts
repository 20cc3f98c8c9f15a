import { expect, it } from 'vitest'
import { createCoalescedRun } from './coalesced-run.ts'

it('runs once more after the current run, however many requests came in', async () => {
  let runs = 0
  const finish: (() => void)[] = []
  const scans = createCoalescedRun(async () => {
    runs += 1
    await new Promise<void>((resolve) => finish.push(resolve))
  })
  const first = scans.request()
  const others = [scans.request(), scans.request(), scans.request()]
  expect(runs).toBe(1)

  finish[0]?.()
  await first
  await expect.poll(() => runs).toBe(2)
  finish[1]?.()
  await Promise.all(others)
  await scans.idle()
  expect(runs).toBe(2)
})
