import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { type SharedReads, createSharedReads } from './shared-reads.ts'

const ms = 1_000

/** Reads of a key, each of which ends when the test says so. */
function startReads(isKept?: (result: string) => boolean) {
  const clock = createFakeClock()
  const shared: SharedReads<string> = createSharedReads({ clock, ms, max: 10, ...(isKept ? { isKept } : {}) })
  const runs: PromiseWithResolvers<string>[] = []
  const read = (key = 'key'): Promise<string> =>
    shared.read(key, () => {
      const run = Promise.withResolvers<string>()
      runs.push(run)
      return run.promise
    })
  return { clock, shared, runs, read }
}

it('shares a result for a time from the beginning of its run, whichever way the clock is set', async () => {
  const { clock, runs, read } = startReads()
  const results = [read(), read()]
  runs[0]?.resolve('first')
  expect(await Promise.all(results)).toEqual(['first', 'first'])
  clock.advance(ms - 1)
  expect(await read()).toBe('first')
  clock.advance(1)
  void read()
  void read('another')
  expect(runs).toHaveLength(3)
})

it('reads anew after an error, after a result that is not kept, and once all are forgotten', async () => {
  const { runs, read, shared } = startReads((result) => result !== 'nothing')
  const failed = read()
  runs[0]?.reject(new Error('away'))
  await expect(failed).rejects.toThrow('away')
  const nothing = read()
  runs[1]?.resolve('nothing')
  expect(await nothing).toBe('nothing')
  const found = read()
  runs[2]?.resolve('found')
  expect(await found).toBe('found')
  expect(await read()).toBe('found')
  shared.forget()
  void read()
  expect(runs).toHaveLength(4)
})

it('a slow read that fails, or is not kept, leaves the newer one', async () => {
  const { clock, runs, read } = startReads((result) => result !== 'nothing')
  const slow = [read()]
  clock.advance(ms)
  slow.push(read())
  clock.advance(ms)
  const newest = read()
  runs[2]?.resolve('newest')
  runs[1]?.resolve('nothing')
  runs[0]?.reject(new Error('away'))
  await Promise.allSettled(slow)
  expect(read()).toBe(newest)
  expect(runs).toHaveLength(3)
})
