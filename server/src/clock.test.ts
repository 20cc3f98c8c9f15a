import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from './clock.ts'

describe('the clock of the server', () => {
  it('agrees with the machine, to fractions of a millisecond, and never goes back', () => {
    const times = Array.from({ length: 1_000 }, () => systemClock.now())
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
    expect(Math.abs((times[0] ?? 0) - Date.now())).toBeLessThan(1_000)
    expect(times.some((time) => !Number.isInteger(time))).toBe(true)
  })

  it('runs what was asked for, in time and once', () => {
    useFakeTimers()
    const run = vi.fn<() => void>()
    systemClock.after(1_000, run)
    vi.advanceTimersByTime(999)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10_000)
    expect(run).toHaveBeenCalledOnce()
  })

  it('waits longer than one timer of the platform can', () => {
    useFakeTimers()
    const run = vi.fn<() => void>()
    const daysMs = 60 * 24 * 60 * 60 * 1_000
    systemClock.after(daysMs, run)
    vi.advanceTimersByTime(daysMs - 1)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledOnce()
  })

  it('does not run what was taken back', () => {
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
