import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startServerClock, type ServerClock } from './server-clock.ts'
import { wallNow } from '../wall-clock.ts'

const stops: (() => void)[] = []

/** A clock whose server is an hour ahead and 20 ms away each way; it can stop answering. */
function measure({ delayMs = 20, trueNow = wallNow } = {}) {
  const sentAtMs: number[] = []
  const roundTripsMs: (number | null)[] = []
  const server = { offsetMs: 3_600_000, isSilent: false }
  const clock: ServerClock = startServerClock({
    sendProbe: async (time) => {
      sentAtMs.push(time)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (server.isSilent) throw new Error('No answer')
      const receivedAtMs = trueNow() + server.offsetMs
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      return { time, receivedAtMs, sentAtMs: receivedAtMs }
    },
    onProbe: (rttMs) => roundTripsMs.push(rttMs),
    random: () => 0.5,
  })
  stops.push(() => clock.stop())
  return { clock, server, sentAtMs, roundTripsMs }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const gapsOf = (instants: number[]) =>
  instants.slice(1).map((atMs, index) => Math.round(atMs - (instants[index] ?? 0)))

function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  Reflect.deleteProperty(document, 'hidden')
  vi.useRealTimers()
})

describe('the server’s clock', () => {
  it('is measured once connected: 16 times, 50 ms apart, then every 2.5 s', async () => {
    const { clock, sentAtMs, roundTripsMs } = measure()
    await pass(5_000)
    expect(sentAtMs).toEqual([])
    clock.onConnected('https://one.example')
    await pass(6_000)
    expect(gapsOf(sentAtMs)).toEqual([...Array.from({ length: 15 }, () => 50), 2_500, 2_500])
    expect(new Set(roundTripsMs)).toEqual(new Set([40]))
    expect(clock.estimate()).toMatchObject({ isUsable: true, rttMs: 40 })
    expect(clock.serverNow() - wallNow()).toBeCloseTo(3_600_000, 3)
    expect(clock.clientTimeOf(clock.serverTimeOf(5_000))).toBeCloseTo(5_000, 3)
  })

  it('4.6a is probed every 10 s while the tab is hidden, and measured again when it is visible', async () => {
    const { clock, sentAtMs } = measure()
    clock.onConnected('https://one.example')
    await pass(1_000)
    setHidden(true)
    await pass(35_000)
    expect(gapsOf(sentAtMs.slice(15))).toEqual([2_500, 10_000, 10_000, 10_000])
    const before = sentAtMs.length
    setHidden(false)
    await pass(1_000)
    expect(sentAtMs.length - before).toBe(16)
  })

  it('11.2d is probed like a visible tab while a hidden one sounds', async () => {
    const { clock, sentAtMs } = measure()
    clock.onConnected('https://one.example')
    setHidden(true)
    clock.setSounding(true)
    await pass(8_500)
    expect(gapsOf(sentAtMs.slice(15))).toEqual([2_500, 2_500, 2_500])
    clock.setSounding(false)
    await pass(30_000)
    expect(gapsOf(sentAtMs.slice(18))).toEqual([2_500, 10_000, 10_000])
  })

  it('is measured again when the network is back', async () => {
    const { clock, sentAtMs } = measure()
    clock.onConnected('https://one.example')
    await pass(2_000)
    window.dispatchEvent(new Event('online'))
    await pass(1_000)
    expect(sentAtMs).toHaveLength(32)
  })

  it('is discarded for another server, and kept for the same one', async () => {
    const { clock, server } = measure()
    clock.onConnected('https://one.example')
    await pass(2_000)
    clock.onConnected('https://one.example')
    expect(clock.estimate().isUsable).toBe(true)
    server.offsetMs = -7_000
    clock.onConnected('https://two.example')
    expect(clock.estimate().isUsable).toBe(false)
    await pass(2_000)
    expect(clock.serverNow() - wallNow()).toBeCloseTo(-7_000, 3)
  })

  it('8.16a reports probes without an answer, and keeps probing', async () => {
    const { clock, server, sentAtMs, roundTripsMs } = measure()
    server.isSilent = true
    clock.onConnected('https://one.example')
    await pass(6_000)
    expect(new Set(roundTripsMs)).toEqual(new Set([null]))
    expect(sentAtMs).toHaveLength(18)
    expect(clock.estimate().isUsable).toBe(false)
  })

  it('16.280 is kept where the browser shows every 17th millisecond only, as it does against fingerprinting', async () => {
    const readFinely = performance.now.bind(performance)
    const steps = vi.spyOn(performance, 'now')
    steps.mockImplementation(() => Math.floor(readFinely() / 16.667) * 16.667)
    stops.push(() => steps.mockRestore())
    const { clock } = measure({ delayMs: 1, trueNow: () => performance.timeOrigin + readFinely() })
    clock.onConnected('https://one.example')
    await pass(60_000)
    expect(clock.state()).toMatchObject({ jumps: 0, isUsable: true, isSettled: true })
    expect(clock.estimate().uncertaintyMs).toBeGreaterThan(5)
    expect(Math.abs(clock.estimate().offsetMs - 3_600_000)).toBeLessThan(clock.estimate().uncertaintyMs)
  })

  it('is not probed after it was stopped', async () => {
    const { clock, sentAtMs, roundTripsMs } = measure()
    clock.onConnected('https://one.example')
    await pass(30)
    clock.stop()
    await pass(60_000)
    expect(sentAtMs).toHaveLength(1)
    expect(roundTripsMs).toEqual([])
  })
})
