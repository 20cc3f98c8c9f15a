import { describe, expect, it } from 'vitest'
import { createClientClock } from './client-clock.ts'
import { createFakeClock } from './fake-clock.ts'

const options = { clockOffsetMs: 5_000, clockDriftPpm: 100 }

describe('the clock of a client', () => {
  it('has an offset and drifts', () => {
    const trueClock = createFakeClock(0)
    const clock = createClientClock(trueClock, options)
    expect(clock.now()).toBe(5_000)
    trueClock.advance(10_000)
    expect(clock.now()).toBeCloseTo(15_001, 6)
  })

  it('jumps without its timers or the sound device', () => {
    const trueClock = createFakeClock(0)
    const clock = createClientClock(trueClock, options)
    const seen: number[] = []
    clock.after(1_000, () => seen.push(trueClock.now()))
    clock.jump(-60_000)
    trueClock.advance(1_000)
    expect(seen).toEqual([1_000])
    expect(clock.deviceNow() - clock.now()).toBe(60_000)
  })

  it('stops while the machine sleeps, with its timers', () => {
    const trueClock = createFakeClock(0)
    const clock = createClientClock(trueClock, { clockOffsetMs: 0, clockDriftPpm: 0 })
    const seen: number[] = []
    clock.after(500, () => seen.push(trueClock.now()))
    clock.after(900, () => expect.unreachable())()
    clock.after(9_000, () => seen.push(trueClock.now()))
    trueClock.advance(200)
    clock.sleep(4_000)
    trueClock.advance(3_999)
    expect(clock.now()).toBe(200)
    expect(seen).toEqual([])
    trueClock.advance(1_001)
    expect(clock.now()).toBe(1_200)
    trueClock.advance(10_000)
    expect(seen).toEqual([4_200, 9_000])
  })
})
