import { AppError } from '@earshot/core/protocol/errors'
import type { ImportResult } from '@earshot/core/protocol/providers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { countImport } from './import-progress.ts'
import { createPlaylistImports } from './playlist-import.ts'

const trackIds = Array.from({ length: 120 }, (_none, index) => `spotify:${index}`)
interface Sent {
  importId: string
  trackIds: string[]
}

/** A server that remembers the imports that it has carried out, like the real one. */
function serve(answer: (sent: Sent, count: number) => ImportResult[] = addAll) {
  const sent: Sent[] = []
  const known = new Map<string, ImportResult[]>()
  answerCalls({
    'POST /api/rooms/:roomId/queue/import': ({ body }) => {
      const part = body as Sent
      sent.push(part)
      const results = known.get(part.importId) ?? answer(part, sent.length)
      known.set(part.importId, results)
      return { results }
    },
  })
  return sent
}
const addAll = ({ trackIds: ids }: Sent): ImportResult[] =>
  ids.map((trackId) => ({ trackId, status: 'added' }))

/** Returns the number of each part's import, in the order in which their ids came. */
function numberImports(sent: readonly Sent[]): number[] {
  const ids = [...new Set(sent.map(({ importId }) => importId))]
  return sent.map(({ importId }) => ids.indexOf(importId) + 1)
}

function openImports() {
  const imports = createPlaylistImports('r1')
  return { imports, progress: () => imports.store.getState()['p']! }
}

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('15.34 adds a playlist in parts, one after the other', async () => {
  const sent = serve()
  const { imports, progress } = openImports()
  imports.start('p', trackIds)
  expect(progress().isRunning).toBe(true)
  await settle()
  expect(sent.map((part) => part.trackIds.length)).toEqual([50, 50, 20])
  expect(countImport(progress())).toMatchObject({ total: 120, inQueue: 120, waiting: 0 })
  expect(progress()).toMatchObject({ isRunning: false, error: null })
})

it('15.34 repeats a part whose answer was lost under the same id', async () => {
  const sent = serve((part, count) => {
    if (count === 2) throw new AppError('unavailable')
    return addAll(part)
  })
  const { imports, progress } = openImports()
  imports.start('p', trackIds)
  await settle(5_000)
  expect(numberImports(sent)).toEqual([1, 2, 2, 3])
  expect(countImport(progress()).inQueue).toBe(120)
})

it('15.34 waits as long as the server asks for, and never longer than 10 s', async () => {
  const sent = serve((part, count) => {
    if (count === 1) throw new AppError('rate_limited', undefined, { retryAfterMs: 3_600_000 })
    return addAll(part)
  })
  const { imports } = openImports()
  imports.start('p', trackIds.slice(0, 5))
  await settle(9_900)
  expect(sent).toHaveLength(1)
  await settle(200)
  expect(sent).toHaveLength(2)
})

it('15.35 stops at a refusal, and a retry sends only what is missing', async () => {
  let isMember = false
  const sent = serve((part, count) => {
    if (count > 1 && !isMember) throw new AppError('not_a_member')
    return addAll(part)
  })
  const { imports, progress } = openImports()
  imports.start('p', trackIds)
  await settle()
  expect(progress()).toMatchObject({ isRunning: false, error: 'not_a_member' })
  expect(countImport(progress())).toMatchObject({ inQueue: 50, waiting: 70 })
  isMember = true
  imports.retry('p')
  await settle()
  expect(progress()).toMatchObject({ isRunning: false, error: null })
  expect(numberImports(sent)).toEqual([1, 2, 2, 3])
})

it('15.34 is cancelled after the part under way, and goes on when asked to', async () => {
  const sent = serve()
  const { imports, progress } = openImports()
  imports.start('p', trackIds)
  imports.cancel('p')
  await settle()
  expect(sent).toHaveLength(1)
  expect(progress()).toMatchObject({ isRunning: false, error: null, isCancelled: true })
  imports.retry('p')
  await settle()
  expect(countImport(progress()).inQueue).toBe(120)
  expect(sent).toHaveLength(3)
})

it('15.34 a second click sends nothing twice', async () => {
  const sent = serve()
  const { imports } = openImports()
  imports.start('p', trackIds)
  imports.start('p', trackIds)
  await settle()
  expect(sent).toHaveLength(3)
})

it('15.34 ends with the visit', async () => {
  const sent = serve()
  const { imports } = openImports()
  imports.start('p', trackIds)
  imports.stop()
  await settle(60_000)
  expect(sent).toHaveLength(1)
})
