import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from './clock.ts'

describe('the clock of the server', () => {
  it('agrees with the system clock, to fractions of a millisecond, and is monotonic', () => {
    const times = Array.from({ length: 1_000 }, () => systemClock.now())
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
    expect(Math.abs((times[0] ?? 0) - Date.now())).toBeLessThan(1_000)
    expect(times.some((time) => !Number.isInteger(time))).toBe(true)
  })

  it('runs a timer on time and once', () => {
    useFakeTimers()
    const run = vi.fn<() => void>()
    systemClock.after(1_000, run)
    vi.advanceTimersByTime(999)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10_000)
    expect(run).toHaveBeenCalledOnce()
  })

  it('supports delays longer than a platform timer', () => {
    useFakeTimers()
    const run = vi.fn<() => void>()
    const daysMs = 60 * 24 * 60 * 60 * 1_000
    systemClock.after(daysMs, run)
    vi.advanceTimersByTime(daysMs - 1)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledOnce()
  })

  it('does not run a cancelled timer', () => {
    useFakeTimers()
    const run = vi.fn<() => void>()
    const cancel = systemClock.after(1_000, run)
    cancel()
    vi.advanceTimersByTime(5_000)
    expect(run).not.toHaveBeenCalled()
  })
})

function useFakeTimers(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}
