import { describe, expect, it } from 'vitest'
import { deviceOptions } from './fake-player.ts'
import { calmNetwork } from './lossy-network.ts'
import { createSimulation, startPlaying } from './simulation.ts'

/** The assumed start latency is 115 ms: these elements start up to 70 ms early or late. */
const startLatenciesMs = [55, 75, 95, 135, 155, 175]

describe('an element that starts far off', () => {
  it.each(startLatenciesMs)(
    '10.23 is in sync 3 s after the start without a seek (latency %d ms)',
    (latencyMs) => {
      const device = { ...deviceOptions.element, startLatencyMs: latencyMs }
      const conditions = calmNetwork
      const simulation = createSimulation([
        { device, conditions, clockOffsetMs: 0, clockDriftPpm: 0, seed: latencyMs },
      ])
      startPlaying(simulation)
      const person = simulation.listeners.at(0)
      const errorMs = (): number => Math.abs(person?.soundErrorMs() ?? Infinity)
      while (errorMs() === Infinity) simulation.clock.advance(50)
      simulation.clock.advance(3_000)
      expect(errorMs()).toBeLessThan(15)
      simulation.clock.advance(1_000)
      expect(errorMs()).toBeLessThan(3)
      expect(person?.listener.actions.filter(({ type }) => type === 'alignAt')).toEqual([])
    },
  )
})
