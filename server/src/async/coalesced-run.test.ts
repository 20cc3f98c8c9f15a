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

it('never runs twice at once, also for requests between two runs', async () => {
  let underWay = 0
  let most = 0
  let requests = 10
  const scans = createCoalescedRun(async () => {
    most = Math.max(most, (underWay += 1))
    let turn = Promise.resolve()
    // One in each of the next turns, in some of which this run has just ended.
    for (; requests > 0; requests -= 1) turn = turn.then(() => void scans.request())
    await Promise.resolve()
    underWay -= 1
  })
  await Promise.all([scans.request(), scans.request()])
  await scans.idle()
  expect(most).toBe(1)
})

it('tells those who requested a run of its error, and runs again', async () => {
  let runs = 0
  const scans = createCoalescedRun(async () => {
    runs += 1
    if (runs === 1) throw new Error('broken')
  })
  const [first, second] = [scans.request(), scans.request()]
  await expect(first).rejects.toThrow('broken')
  await second
  await scans.idle()
  expect(runs).toBe(2)
})
