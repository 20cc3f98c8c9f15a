import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { onDemand } from './on-demand.tsx'

it('17.87, 17.408 a part whose code is gone says so in its place, and can be tried again or reloaded', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined)
  onTestFinished(() => {
    vi.useRealTimers()
    quiet.mockRestore()
    report.mockRestore()
  })
  let isGone = true
  const Part = onDemand<object>(() =>
    isGone ? Promise.reject(new TypeError('not found')) : Promise.resolve(() => <p>the part</p>),
  )
  render(
    <>
      <p>the rest</p>
      <Part />
    </>,
  )
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await screen.findByText('This part could not be loaded')).toBeDefined()
  expect(screen.getByText('the rest')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
  isGone = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('the part')).toBeDefined()
})
