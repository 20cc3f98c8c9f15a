import { limits } from '@earshot/core/limits'
import { expect, it } from 'vitest'
import { countImport, emptyImport, nextPart, planImport, planRetry, settlePart } from './import-progress.ts'

const ids = (count: number) => Array.from({ length: count }, (_none, index) => `youtube:${index}`)
function counter() {
  let count = 0
  return () => `import-${(count += 1)}`
}

it('15.34 sends parts of at most 50 tracks, each track once', () => {
  const planned = planImport(emptyImport, [...ids(120), ...ids(3)], counter())
  expect(planned.parts.map(({ importId, trackIds }) => [importId, trackIds.length])).toEqual([
    ['import-1', limits.importBatchSize],
    ['import-2', limits.importBatchSize],
    ['import-3', 20],
  ])
  expect(planned.parts.flatMap((part) => part.trackIds)).toEqual(ids(120))
})

it('15.34 planning the same tracks again adds only what is neither planned nor in the queue', () => {
  const createId = counter()
  const planned = planImport(emptyImport, ids(2), createId)
  const settled = settlePart(planned, 'import-1', [
    { trackId: 'youtube:0', status: 'added' },
    { trackId: 'youtube:1', status: 'not_found' },
  ])
  const again = planImport(planImport(settled, ids(3), createId), ids(3), createId)
  expect(again.parts).toEqual([{ importId: 'import-2', trackIds: ['youtube:1', 'youtube:2'] }])
})

it('15.35 stores the outcome of each track; a missing answer is a track that was not found', () => {
  const planned = planImport(emptyImport, ids(4), counter())
  const settled = settlePart(planned, 'import-1', [
    { trackId: 'youtube:0', status: 'added' },
    { trackId: 'youtube:1', status: 'already_added' },
    { trackId: 'youtube:2', status: 'queue_full' },
    { trackId: 'youtube:9', status: 'added' },
  ])
  expect(settled.outcomes).toEqual({
    'youtube:0': 'added',
    'youtube:1': 'already_added',
    'youtube:2': 'queue_full',
    'youtube:3': 'not_found',
  })
  expect(countImport(settled)).toEqual({
    total: 4,
    waiting: 0,
    inQueue: 2,
    refused: 2,
    retryable: 1,
    isQueueFull: true,
    isLimitReached: false,
  })
  expect(settlePart(settled, 'import-1', [])).toBe(settled)
})

it('15.35 a retry keeps the id of a part without an answer, and plans a full queue anew', () => {
  const createId = counter()
  const planned = planImport(emptyImport, ids(51), createId)
  const full = ids(50).map((trackId) => ({ trackId, status: 'queue_full' as const }))
  const retried = planRetry(settlePart(planned, 'import-1', full), createId)
  expect(retried.parts.map(({ importId, trackIds }) => [importId, trackIds.length])).toEqual([
    ['import-2', 1],
    ['import-3', 50],
  ])
})

it('15.34 a cancelled import sends no further part', () => {
  const planned = planImport(emptyImport, ids(60), counter())
  expect(nextPart(planned)?.importId).toBe('import-1')
  expect(nextPart({ ...planned, isCancelled: true })).toBeNull()
})
