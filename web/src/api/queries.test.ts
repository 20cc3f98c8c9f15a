import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { answerCalls } from '../testing/contract-network.ts'
import { createQueryClient, pickSource, sourcesQuery, tracksQuery } from './queries.ts'

afterEach(() => void vi.useRealTimers())

const status = (source: SourceStatus['source'], available: boolean): SourceStatus => ({
  source,
  available,
  reason: null,
})

it('picks the preferred source, or another one that is available', () => {
  const sources = [status('spotify', false), status('youtube', true), status('library', true)]
  expect(pickSource(sources, 'library')).toBe('library')
  expect(pickSource(sources, 'spotify')).toBe('youtube')
  expect(pickSource(sources, undefined)).toBe('youtube')
  expect(pickSource([status('youtube', false)], 'youtube')).toBe('library')
})

it('15.48 a search of a provider may take 30 s, one of the library 10 s', async () => {
  vi.useFakeTimers()
  answerCalls({
    'GET /api/tracks': () => new Promise(() => undefined),
    'GET /api/sources': () => ({ sources: [] }),
  })
  for (const [source, timeoutMs] of [['library', 10_000] as const, ['youtube', 30_000] as const]) {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    const onFailure = vi.fn<(error: unknown) => void>()
    client.fetchInfiniteQuery(tracksQuery(source, 'harbour')).catch(onFailure)
    await vi.advanceTimersByTimeAsync(timeoutMs - 1_000)
    expect(onFailure).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(onFailure).toHaveBeenCalledOnce()
  }
})

it('16.257 a read that a limit of a few seconds refuses is repeated after it; a longer wait is shown at once', async () => {
  vi.useFakeTimers()
  const refuseFor = (retryAfterMs: number) => {
    const times: number[] = []
    answerCalls({
      'GET /api/sources': () => {
        times.push(Date.now())
        if (times.length === 1) throw new AppError('rate_limited', undefined, { retryAfterMs })
        return { sources: [] }
      },
    })
    return times
  }
  const short = refuseFor(8_000)
  const read = createQueryClient().fetchQuery(sourcesQuery)
  await vi.advanceTimersByTimeAsync(17_000)
  expect(await read).toEqual([])
  expect(short).toHaveLength(2)
  const [first = 0, second = 0] = short
  expect(second - first).toBeGreaterThanOrEqual(8_000)

  const long = refuseFor(600_000)
  await expect(createQueryClient().fetchQuery(sourcesQuery)).rejects.toMatchObject({
    code: 'rate_limited',
  })
  expect(long).toHaveLength(1)
})
