import { limits } from '@earshot/core/limits'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerCalls } from '../../../testing/contract-network.ts'
import { WholeLibrary } from './music-results.tsx'
import { createQueryClient } from '../../../api/queries.ts'

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
