import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { showLoading, LoadingOverlay } from './loading-overlay.tsx'

it('2.18b a loading event covers the page with its message until the event that ends it', () => {
  render(<LoadingOverlay />)
  expect(screen.queryByRole('status')).toBeNull()
  act(() => showLoading('Loading room...'))
  expect(screen.getByRole('status').textContent).toBe('Loading room...')
  act(() => showLoading(null))
  expect(screen.queryByRole('status')).toBeNull()
})
