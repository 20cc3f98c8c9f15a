import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviceOptions } from './fake-player.ts'
import { calmNetwork } from './lossy-network.ts'
import {
  type PersonOptions,
  createSimulation,
  joinRoom,
  mostSeeksPerMinute,
  startPlaying,
} from './simulation.ts'

// A failing run prints its seed and path; `fc.assert(property, { seed, path })` repeats it.

const kinds = Object.keys(deviceOptions) as (keyof typeof deviceOptions)[]

const person = (kind: keyof typeof deviceOptions, rest: Partial<PersonOptions> = {}): PersonOptions => ({
  device: deviceOptions[kind],
  conditions: calmNetwork,
  clockOffsetMs: 3_600_000,
  clockDriftPpm: 0,
  seed: 1,
  ...rest,
})

/** Any device of a kind, even a bad one, on any network and with any clock. */
const people = (kind: keyof typeof deviceOptions): fc.Arbitrary<PersonOptions> =>
  fc
    .record({
      seed: fc.integer({ min: 1, max: 2 ** 31 }),
      startLatencyMs: fc.integer({ min: 0, max: 1_500 }),
      seekLatencyMs: fc.integer({ min: 0, max: 1_500 }),
      latencyJitterMs: fc.constantFrom(0, 20, 100, 400),
      noiseMs: fc.constantFrom(0, 5, 40, 120),
      driftPpm: fc.integer({ min: -300, max: 300 }),
      clockDriftPpm: fc.integer({ min: -100, max: 100 }),
      clockOffsetMs: fc.integer({ min: -4_000_000, max: 4_000_000 }),
      upDelayMs: fc.integer({ min: 1, max: 150 }),
      downDelayMs: fc.integer({ min: 1, max: 150 }),
      jitterMs: fc.constantFrom(0, 10, 60),
    })
    .map(({ seed, clockDriftPpm, clockOffsetMs, upDelayMs, downDelayMs, jitterMs, ...device }) => ({
      device: { ...deviceOptions[kind], ...device },
      conditions: { ...calmNetwork, upDelayMs, downDelayMs, jitterMs },
      clockOffsetMs,
      clockDriftPpm,
      seed,
    }))

describe('steady playback', () => {
  it.each(kinds)('a %s listener never seeks more than three times a minute, on any device', (kind) => {
    fc.assert(
      fc.property(people(kind), (options) => {
        const simulation = createSimulation([options])
        startPlaying(simulation)
        // What a sound is off by at its start is taken out besides.
        simulation.clock.advance(2_000)
        const fromMs = simulation.clock.now()
        simulation.clock.advance(180_000)
        const { listener } = simulation.listeners[0]!
        expect(mostSeeksPerMinute(listener, fromMs)).toBeLessThanOrEqual(3)
      }),
      { numRuns: 12 },
    )
  })

  it.each(kinds)('a typical %s listener never seeks once it has settled', (kind) => {
    const devices = [1, 2, 3, 4, 5].map((seed) =>
      person(kind, {
        seed,
        clockDriftPpm: 40 * (seed - 3),
        device: { ...deviceOptions[kind], driftPpm: 60 },
      }),
    )
    const simulation = createSimulation(devices)
    startPlaying(simulation)
    simulation.clock.advance(30_000)
    const settledAtMs = simulation.clock.now()
    simulation.clock.advance(300_000)
    for (const { listener } of simulation.listeners) {
      expect(listener.actions.filter(({ type, atMs }) => type === 'alignAt' && atMs > settledAtMs)).toEqual(
        [],
      )
      expect(listener.outcome?.cause).toBe('in_sync')
    }
  })

  it('a library listener is within 2 ms after 5 s and stays there for ten minutes', () => {
    const simulation = createSimulation(
      [-100, -20, 0, 35, 100].map((driftPpm, index) =>
        person('library', {
          seed: index + 1,
          clockDriftPpm: driftPpm / 2,
          clockOffsetMs: (index - 2) * 3_600_000,
          device: { ...deviceOptions.library, driftPpm },
        }),
      ),
    )
    startPlaying(simulation)
    simulation.clock.advance(5_000)
    for (let second = 0; second < 600; second++) {
      simulation.clock.advance(1_000)
      const errors = simulation.listeners.map(({ soundErrorMs }) => Math.abs(soundErrorMs() ?? Infinity))
      expect(Math.max(...errors)).toBeLessThan(2)
    }
  })

  it('4.20f an audio element is within 5 ms after 5 s, for any start latency, and stays there', () => {
    const simulation = createSimulation(
      [85, 115, 145, 230].map((startLatencyMs, index) => {
        const device = { ...deviceOptions.element, startLatencyMs, driftPpm: 30 * index }
        return person('element', { seed: index + 1, device })
      }),
    )
    startPlaying(simulation)
    simulation.clock.advance(5_000)
    for (let second = 0; second < 300; second++) {
      simulation.clock.advance(1_000)
      const errors = simulation.listeners.map(({ soundErrorMs }) => Math.abs(soundErrorMs() ?? Infinity))
      expect(Math.max(...errors)).toBeLessThan(5)
    }
  })
})

describe('a listener who reloads', () => {
  const paths = [
    { roundTripMs: 20, jitterMs: 0 },
    { roundTripMs: 400, jitterMs: 0 },
    { roundTripMs: 600, jitterMs: 60 },
    { roundTripMs: 800, jitterMs: 60 },
  ]

  it.each(paths)('11.1a, 11.1c is silent until the clock is measured, over $roundTripMs ms', (path) => {
    const { roundTripMs, jitterMs } = path
    const simulation = createSimulation([person('library')])
    startPlaying(simulation)
    simulation.clock.advance(48_000)
    const { clock, room } = simulation
    const conditions = {
      ...calmNetwork,
      upDelayMs: roundTripMs / 2,
      downDelayMs: roundTripMs / 2,
      jitterMs,
    }
    // Address, page and handshake: three round trips.
    const reload = { timeline: room.state.timeline, connectedAfterMs: 3 * roundTripMs }
    const options = { conditions, seed: 7, clockOffsetMs: -1_800_000, reload }
    const late = joinRoom(simulation, person('library', options))
    const reloadedAtMs = clock.now()
    let soundsAfterMs: number | null = null
    for (let elapsedMs = 10; elapsedMs <= 6_000; elapsedMs += 10) {
      clock.advance(10)
      const errorMs = late.soundErrorMs()
      if (errorMs === null) continue
      soundsAfterMs ??= clock.now() - reloadedAtMs
      expect(Math.abs(errorMs)).toBeLessThan(50)
    }
    expect(soundsAfterMs).toBeGreaterThan(4 * roundTripMs)
    expect(soundsAfterMs).toBeLessThan(4 * roundTripMs + 2 * jitterMs + 1_000)
  })
})

describe('a late joiner', () => {
  it('4.19c is in sync within 1.5 s, and does not stay at 0', () => {
    const simulation = createSimulation([person('library')])
    startPlaying(simulation)
    simulation.clock.advance(60_000)
    const { clock, room } = simulation
    const late = joinRoom(simulation, person('library', { seed: 9, clockOffsetMs: -3_600_000 }))
    clock.advance(1_500)
    expect(room.state.timeline.isPlaying).toBe(true)
    expect(Math.abs(late.soundErrorMs() ?? Infinity)).toBeLessThan(2)
  })
})
