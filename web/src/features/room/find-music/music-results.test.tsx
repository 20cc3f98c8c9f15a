import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../../testing/contract-network.ts'
import { createQueryClient } from '../../../api/queries.ts'
import { deliverNotices, type PostedNotice } from '../../../ui/notices/notify.ts'
import { MusicResults, WholeLibrary } from './music-results.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const later = () => act(() => vi.advanceTimersByTimeAsync(2 * limits.libraryScanRefreshMs))

it('reloads the library while the server is still scanning it', async () => {
  let isScanning = true
  let reads = 0
  answerCalls({
    'GET /api/library': () => {
      reads += 1
      return { tracks: [], total: 0, nextOffset: null, isScanning }
    },
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <WholeLibrary onAdd={() => undefined} />
    </QueryClientProvider>,
  )
  await later()
  expect(screen.queryByText('The library has no music yet')).toBeNull()
  expect(screen.getByLabelText('Loading')).toBeDefined()
  isScanning = false
  await later()
  expect(screen.getByText('The library has no music yet')).toBeDefined()
  const readsUntilScanned = reads
  await later()
  expect(reads).toBe(readsUntilScanned)
})

it.each([
  ['that is cut off', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['that a proxy answers', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['at which the server fails', () => Promise.reject(new AppError('internal'))],
])('8.4a a search %s shows the text for failures without a known reason', async (_case, fail) => {
  const notices: PostedNotice[] = []
  onTestFinished(deliverNotices({ show: (notice) => notices.push(notice), close: () => undefined }))
  answerCalls({ 'GET /api/tracks': fail as () => never })
  const open = { kind: 'open' } as const
  const ignore = () => undefined
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MusicResults source="spotify" searchText="ferry" access={open} onAdd={ignore} onLeaveSearch={ignore} />
    </QueryClientProvider>,
  )
  await later()
  expect(notices.map(({ title, text }) => [title, text])).toEqual([
    ['Search Failed', 'Could not search for tracks. Please try again.'],
  ])
})
