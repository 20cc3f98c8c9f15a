import { render, screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { NoticesOnDemand } from '../notices/notices-on-demand.tsx'
import { partOnDemand } from './part-on-demand.tsx'

it('17.408 a popup whose code cannot be loaded says so, and offers to reload the page', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let isGone = true
  onTestFinished(() => {
    vi.useRealTimers()
    // The tests that follow load all parts ahead.
    isGone = false
  })
  const Part = partOnDemand<object>(() =>
    isGone ? Promise.reject(new TypeError('not found')) : Promise.resolve(() => null),
  )
  const onFailed = vi.fn<() => void>()
  render(
    <>
      <NoticesOnDemand load={async () => (await import('../notices/notices.tsx')).Notices} />
      <Part isWanted onFailed={onFailed} />
    </>,
  )
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await screen.findByText('This part could not be loaded')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
  expect(onFailed).toHaveBeenCalledOnce()
})
