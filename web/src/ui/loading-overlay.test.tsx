import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { announceLoading } from './loading-event.ts'
import { LoadingOverlay } from './loading-overlay.tsx'

it('2.18b a loading event covers the page with its message until the event that ends it', () => {
  render(<LoadingOverlay />)
  expect(screen.queryByRole('status')).toBeNull()
  act(() => announceLoading('Loading room...'))
  expect(screen.getByRole('status').textContent).toBe('Loading room...')
  act(() => announceLoading(null))
  expect(screen.queryByRole('status')).toBeNull()
})
