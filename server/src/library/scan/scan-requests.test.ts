import { expect, it } from 'vitest'
import { createScanRequests } from './scan-requests.ts'

const walkMs = 600_000

it('13.19 a scan covers what was requested, and a walk when it is due', () => {
  const requests = createScanRequests(walkMs)
  expect(requests.take(1_000_000)).toEqual({ mode: 'all', folders: [] })
  requests.addFolders(['a', 'b'])
  requests.addFolders(['a'])
  expect(requests.take(1_000_001)).toEqual({ mode: 'only', folders: ['a', 'b'] })
  expect(requests.msUntilWalk(1_000_001)).toBe(walkMs - 1)
  requests.addFolders(['c'])
  expect(requests.take(1_000_000 + walkMs)).toEqual({ mode: 'changed', folders: ['c'] })
  requests.addAll()
  expect(requests.take(1_000_001 + walkMs)).toEqual({ mode: 'all', folders: [] })
  expect(requests.take(1_000_002 + walkMs)).toEqual({ mode: 'only', folders: [] })
})

it('13.19 every sixth walk reads all files', () => {
  const requests = createScanRequests(walkMs)
  requests.take(1_000_000)
  const modes = Array.from({ length: 12 }, (_, index) => requests.take(1_000_000 + (index + 1) * walkMs).mode)
  const cycle = ['changed', 'changed', 'changed', 'changed', 'changed', 'all']
  expect(modes).toEqual([...cycle, ...cycle])
})

it('16.298 a walk is due within its interval where the clock is set back', () => {
  const requests = createScanRequests(walkMs)
  const startMs = 10_000_000
  requests.take(startMs)
  for (const backMs of [startMs - 0.8 * walkMs, startMs - 2 * 3_600_000]) {
    expect(requests.msUntilWalk(backMs)).toBe(walkMs)
    expect(requests.msUntilWalk(backMs + walkMs)).toBe(0)
    expect(requests.take(backMs + walkMs).mode).toBe('changed')
  }
})
