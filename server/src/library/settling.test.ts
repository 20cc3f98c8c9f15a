import { expect, it } from 'vitest'
import { createSettling } from './settling.ts'

const unsettled = (folders: string[], storedCount = 0) =>
  ({ kind: 'unsettled', storedCount, folders }) as const

it('15.121 files that keep changing are looked at less and less often, and count as a scan for half a minute', () => {
  const settling = createSettling(2_000)
  const looks: number[] = []
  let lastScanningMs = 0
  for (let nowMs = 0; nowMs < 150_000; nowMs += settling.waitMs()) {
    settling.end(unsettled(['radio']), nowMs)
    looks.push(nowMs / 1_000)
    if (settling.isScanning()) lastScanningMs = nowMs
  }
  expect(looks).toEqual([0, 2, 4, 8, 16, 32, 62, 92, 122])
  expect(lastScanningMs).toBe(16_000)
})

it('15.121 what else is written meanwhile is followed as ever', () => {
  const settling = createSettling(2_000)
  settling.end(unsettled(['radio']), 0)
  expect(settling.isOngoing(['radio'])).toBe(false)
  settling.end(unsettled(['radio']), 40_000)
  expect([settling.isOngoing(['radio']), settling.isOngoing(['album'])]).toEqual([true, false])
  settling.end(unsettled(['radio', 'album']), 50_000)
  expect([settling.isScanning(), settling.waitMs(), settling.isOngoing(['album'])]).toEqual([
    true,
    2_000,
    false,
  ])
  settling.end(unsettled(['radio'], 9), 81_000)
  expect([settling.isScanning(), settling.waitMs()]).toEqual([true, 2_000])
  settling.end({ kind: 'done', storedCount: 1 }, 120_000)
  expect([settling.isScanning(), settling.isOngoing([])]).toEqual([false, false])
})
