import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it } from 'vitest'
import { calmPath } from './delay-line.ts'
import { createPacketPath } from './packet-path.ts'

/** Which of many packets arrive, and when, by their number. */
function sendPackets(lossRate: number, seed: number, count = 10_000): number[] {
  const clock = createFakeClock(0)
  const path = createPacketPath(clock, seed, { ...calmPath, delayMs: 100, jitterMs: 30, lossRate })
  const arrived: number[] = []
  for (let packet = 0; packet < count; packet += 1) {
    path.send(() => arrived.push(packet))
    clock.advance(1)
  }
  clock.advance(1_000)
  return arrived
}

describe('a path of packets', () => {
  it('loses the share that it is told to, and the same ones again with the same seed', () => {
    const arrived = sendPackets(0.01, 3)
    expect(arrived.length).toBeGreaterThan(9_860)
    expect(arrived.length).toBeLessThan(9_940)
    expect(sendPackets(0.01, 3)).toEqual(arrived)
    expect(sendPackets(0.01, 4)).not.toEqual(arrived)
  })

  it('loses nothing where it is told so, and lets nothing overtake', () => {
    expect(sendPackets(0, 1, 500)).toEqual(Array.from({ length: 500 }, (_, packet) => packet))
  })
})
