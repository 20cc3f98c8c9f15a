import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useColourMode } from './colour-mode.ts'

afterEach(() => {
  localStorage.clear()
  document.documentElement.className = ''
})

it('1.4a the page is dark by default, and the chosen mode is remembered', () => {
  const { result } = renderHook(() => useColourMode())
  expect(result.current[0]).toBe('dark')
  act(() => result.current[1]('light'))
  expect(result.current[0]).toBe('light')
  expect(document.documentElement.classList.contains('scheme-light')).toBe(true)
  expect(localStorage.getItem('colourMode:v1')).toBe('light')
})

function chooseElsewhere(newValue: 'light' | null) {
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'colourMode:v1', newValue }))
  })
}

it('follows other tabs', () => {
  const { result } = renderHook(() => useColourMode())
  chooseElsewhere('light')
  expect(result.current[0]).toBe('light')
  chooseElsewhere(null)
  expect(result.current[0]).toBe('dark')
})
