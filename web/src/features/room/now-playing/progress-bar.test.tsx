import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SeekBar } from './progress-bar.tsx'

const durationMs = 200_000
const seeks: number[] = []

beforeEach(() => {
  vi.useFakeTimers()
  seeks.length = 0
})
afterEach(() => vi.useRealTimers())

const bar = (
  positionMs: number | null,
  props: { durationMs?: number; canSeek?: boolean; waveform?: number[] | null } = {},
) => (
  <SeekBar
    positionMs={positionMs}
    durationMs={durationMs}
    canSeek
    onSeek={(soughtMs) => seeks.push(soughtMs)}
    {...props}
  />
)
const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Position' })
const wait = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

it('2.23b shows the elapsed time, and --:-- where there is none', () => {
  const { rerender } = render(bar(65_400))
  expect(screen.getByText('1:05')).toBeDefined()
  expect(slider().value).toBe('65400')
  expect(slider().getAttribute('aria-valuetext')).toBe('1:05 of 3:20')
  rerender(bar(null, { durationMs: 0 }))
  expect(screen.getAllByText('--:--')).toHaveLength(2)
  expect(slider().value).toBe('0')
  expect(slider().getAttribute('aria-valuetext')).toBe('--:-- of --:--')
})

it('stops at the end of the track', () => {
  render(bar(300_000))
  expect(slider().value).toBe('200000')
})

it('12.6 holding an arrow sends one seek, after the key is released', () => {
  const { rerender } = render(bar(20_000))
  act(() => slider().focus())
  for (let count = 1; count <= 10; count += 1) {
    fireEvent.keyDown(slider(), { key: 'ArrowRight', repeat: count > 1 })
    wait(500)
  }
  rerender(bar(25_000))
  expect(slider().value).toBe('70000')
  expect(screen.getByText('1:10')).toBeDefined()
  expect(seeks).toEqual([])
  fireEvent.keyUp(slider(), { key: 'ArrowRight' })
  wait(299)
  expect(seeks).toEqual([])
  wait(1)
  expect(seeks).toEqual([70_000])
})

it('12.6 keys in quick succession are one seek, also Home and Page Up; leaving the bar ends it', () => {
  render(bar(20_000))
  act(() => slider().focus())
  for (const key of ['Home', 'PageUp', 'ArrowLeft', 'ArrowRight']) {
    fireEvent.keyDown(slider(), { key })
    fireEvent.keyUp(slider(), { key })
    wait(100)
  }
  act(() => slider().blur())
  wait(1_000)
  expect(seeks).toEqual([30_000])
})

it('12.6 a listener cannot move it', () => {
  render(bar(20_000, { canSeek: false }))
  expect(slider().disabled).toBe(true)
})

it('17.79 a waveform takes the place of the bar, also for listeners, and the slider stays as it was', () => {
  const waveform = Array.from({ length: 200 }, (_none, at) => at)
  const { container, rerender } = render(bar(65_400, { canSeek: false, waveform }))
  const clip = container.querySelector('clipPath')
  expect(clip?.querySelector('path')?.getAttribute('d')).toMatch(/^M/)
  expect(container.querySelector<HTMLElement>('[style*="clip-path"]')?.style.clipPath).toContain(clip?.id)
  expect(slider().getAttribute('aria-valuetext')).toBe('1:05 of 3:20')
  expect(slider().disabled).toBe(true)
  rerender(bar(65_400, { waveform: null }))
  expect(container.querySelector('clipPath')).toBeNull()
})
