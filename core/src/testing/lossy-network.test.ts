import { describe, expect, it } from 'vitest'
import { createFakeClock } from './fake-clock.ts'
import { type NetworkConditions, calmNetwork, createLossyNetwork } from './lossy-network.ts'

/** Sends 200 messages, one every ms, and returns the arrivals with their delays. */
function sendMany(rest: Partial<NetworkConditions>, seed = 1): { index: number; afterMs: number }[] {
  const clock = createFakeClock(0)
  const network = createLossyNetwork(clock, seed, { ...calmNetwork, ...rest })
  const arrived: { index: number; afterMs: number }[] = []
  for (let index = 0; index < 200; index++) {
    const sentAtMs = clock.now()
    network.send('up', () => arrived.push({ index, afterMs: clock.now() - sentAtMs }))
    clock.advance(1)
  }
  clock.advance(60_000)
  return arrived
}

describe('a network', () => {
  it('that is calm delivers every message once, in order and on time', () => {
    expect(sendMany({})).toEqual(Array.from({ length: 200 }, (_, index) => ({ index, afterMs: 10 })))
  })

  it('is deterministic for a seed, and differs between seeds', () => {
    const bad = { dropRate: 0.3, jitterMs: 50, duplicateRate: 0.1 }
    expect(sendMany(bad, 7)).toEqual(sendMany(bad, 7))
    expect(sendMany(bad, 7)).not.toEqual(sendMany(bad, 8))
  })

  it('drops, duplicates and reorders at the given rates', () => {
    expect(Math.abs(sendMany({ dropRate: 0.5 }).length - 100)).toBeLessThan(30)
    expect(Math.abs(sendMany({ duplicateRate: 0.5 }).length - 300)).toBeLessThan(30)
    const order = sendMany({ reorderRate: 0.3, reorderMs: 20 }).map(({ index }) => index)
    expect(order).not.toEqual(order.toSorted((a, b) => a - b))
  })

  it('delays all messages of a stall until its end', () => {
    const late = sendMany({ stallRate: 0.01, stallMs: 500 }).filter(({ afterMs }) => afterMs > 100)
    expect(late.length).toBeGreaterThan(10)
    expect(late.every(({ afterMs }) => afterMs <= 500)).toBe(true)
  })

  it('may have different delays in each direction', () => {
    const clock = createFakeClock(0)
    const network = createLossyNetwork(clock, 1, { ...calmNetwork, upDelayMs: 90, downDelayMs: 5 })
    const arrived: string[] = []
    network.send('up', () => arrived.push('up'))
    network.send('down', () => arrived.push('down'))
    clock.advance(89)
    expect(arrived).toEqual(['down'])
    clock.advance(1)
    expect(arrived).toEqual(['down', 'up'])
    expect(network.delivered).toBe(2)
  })
})
