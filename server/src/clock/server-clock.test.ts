import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createServerClock, systemClock } from './server-clock.ts'

describe('the clock of the server', () => {
  it('agrees with the system clock, to fractions of a millisecond, and is monotonic', () => {
    const beforeMs = Date.now()
    const times = Array.from({ length: 1_000 }, () => systemClock.now())
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
    expect(times[0]).toBeGreaterThan(beforeMs - 1_000)
    expect(times.at(-1)).toBeLessThan(Date.now() + 1_000)
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

/** A machine whose time passes only when a test says so. */
function makeMachine() {
  let elapsedMs = 0
  const clock = createServerClock({ machineMs: () => 1_000_000 + elapsedMs, elapsedMs: () => elapsedMs })
  return { clock, pass: (ms: number) => (elapsedMs += ms) }
}

describe('a clock that is corrected', () => {
  it('16.49 slews by 0.01 %, forwards and backwards, and never runs backwards', () => {
    const { clock, pass } = makeMachine()
    clock.slew(50)
    expect(clock.now()).toBe(1_000_000)
    pass(100_000)
    expect(clock.now()).toBeCloseTo(1_100_010)
    // Replaces what is left of the first correction.
    clock.slew(-20)
    pass(100_000)
    expect(clock.now()).toBeCloseTo(1_200_000)
    pass(1_000_000)
    expect(clock.now()).toBeCloseTo(2_199_990)
  })

  it('16.49 steps at once, and ends a slew under way', () => {
    const { clock, pass } = makeMachine()
    clock.slew(900)
    pass(10_000)
    clock.step(-3_600_000)
    expect(clock.now()).toBeCloseTo(1_010_001 - 3_600_000)
    pass(10_000)
    expect(clock.now()).toBeCloseTo(1_020_001 - 3_600_000)
  })
})

function useFakeTimers(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}
