import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import { answerCalls } from '../testing/contract-network.ts'
import { pickSource, tracksQuery } from './queries.ts'

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
