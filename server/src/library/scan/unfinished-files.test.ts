import { expect, it } from 'vitest'
import { trackUnfinishedFiles } from './unfinished-files.ts'

const unsettled = (folders: string[], storedCount = 0) =>
  ({ kind: 'unsettled', storedCount, folders }) as const

it('15.121 files that keep changing are looked at less and less often, and count as a scan for half a minute', () => {
  const unfinished = trackUnfinishedFiles(2_000)
  const looks: number[] = []
  let lastScanningMs = 0
  for (let nowMs = 0; nowMs < 150_000; nowMs += unfinished.waitMs()) {
    unfinished.end(unsettled(['radio']), nowMs)
    looks.push(nowMs / 1_000)
    if (unfinished.isScanning()) lastScanningMs = nowMs
  }
  expect(looks).toEqual([0, 2, 4, 8, 16, 32, 62, 92, 122])
  expect(lastScanningMs).toBe(16_000)
})

it('15.121 what else is written meanwhile is followed as ever', () => {
  const unfinished = trackUnfinishedFiles(2_000)
  unfinished.end(unsettled(['radio']), 0)
  expect(unfinished.areOnlyGrowing(['radio'])).toBe(false)
  unfinished.end(unsettled(['radio']), 40_000)
  expect([unfinished.areOnlyGrowing(['radio']), unfinished.areOnlyGrowing(['album'])]).toEqual([true, false])
  unfinished.end(unsettled(['radio', 'album']), 50_000)
  expect([unfinished.isScanning(), unfinished.waitMs(), unfinished.areOnlyGrowing(['album'])]).toEqual([
    true,
    2_000,
    false,
  ])
  unfinished.end(unsettled(['radio'], 9), 81_000)
  expect([unfinished.isScanning(), unfinished.waitMs()]).toEqual([true, 2_000])
  unfinished.end({ kind: 'done', storedCount: 1 }, 120_000)
  expect([unfinished.isScanning(), unfinished.areOnlyGrowing([])]).toEqual([false, false])
})
