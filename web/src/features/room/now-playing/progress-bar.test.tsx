import { emptyTimeline } from '@earshot/core/sync/timeline'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeTrack } from '../../../testing/samples.ts'
import { ProgressBar, SeekBar } from './progress-bar.tsx'

const durationMs = 200_000
const seeks: number[] = []

beforeEach(() => {
  vi.useFakeTimers()
  seeks.length = 0
})
afterEach(() => vi.useRealTimers())

const bar = (
  positionMs: number | null,
  props: { trackId?: string; durationMs?: number; canSeek?: boolean; waveform?: number[] | null } = {},
) => (
  <SeekBar
    trackId="t1"
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

it('17.343 the bar keeps the focus when the track changes', async () => {
  vi.useRealTimers()
  const { change } = await renderInRoom(<ProgressBar middle={null} />)
  const play = (trackId: string) => {
    const timeline = { ...emptyTimeline, trackId, durationMs }
    const track = makeTrack({ id: trackId })
    act(() => change({ confirmed: { timeline, track, queue: [], queueVersion: 2, queueTotal: null } }))
  }
  play('t1')
  const focused = slider()
  act(() => focused.focus())
  expect(document.activeElement).toBe(focused)
  play('t2')
  expect(document.activeElement).toBe(focused)
})

it('17.343 the bar is not held where it was held in the track before', () => {
  const { rerender } = render(bar(20_000))
  const focused = slider()
  const arrow = { key: 'ArrowRight' }
  act(() => focused.focus())
  fireEvent.keyDown(focused, arrow)
  expect(focused.value).toBe('25000')
  rerender(bar(0, { trackId: 't2' }))
  expect(focused.value).toBe('0')
  fireEvent.keyUp(focused, arrow)
  wait(1_000)
  expect(seeks).toEqual([])
  fireEvent.keyDown(focused, arrow)
  fireEvent.keyUp(focused, arrow)
  rerender(bar(0, { trackId: 't3' }))
  wait(1_000)
  expect(seeks).toEqual([])
  fireEvent.keyDown(focused, arrow)
  fireEvent.keyUp(focused, arrow)
  wait(1_000)
  expect(seeks).toEqual([5_000])
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
