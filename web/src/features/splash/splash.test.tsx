import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Splash } from './splash.tsx'

afterEach(() => vi.useRealTimers())

function advance(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

beforeEach(() => localStorage.clear())

it('2.9a, 9.20 shows the name, a spinner and its text for 2000 ms', () => {
  vi.useFakeTimers()
  const { container } = render(<Splash />)
  expect(screen.getByRole('status').textContent).toBe('EarshotLoading your music experience...')
  expect(container.querySelector('.animate-spin')).not.toBeNull()
  advance(1_999)
  expect(screen.queryByRole('status')).not.toBeNull()
  advance(1)
  expect(screen.queryByRole('status')).toBeNull()
})

it('2.9a shows once per browser', () => {
  render(<Splash />).unmount()
  render(<Splash />)
  expect(screen.queryByRole('status')).toBeNull()
})
