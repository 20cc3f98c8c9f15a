import { describe, expect, it } from 'vitest'
import { type FakePlayerOptions, deviceOptions } from './fake-player.ts'
import { calmNetwork } from './lossy-network.ts'
import { type Simulation, createSimulation, mostSeeksPerMinute, startPlaying } from './simulation.ts'

const alone = (device: FakePlayerOptions): Simulation =>
  createSimulation([{ device, conditions: calmNetwork, clockOffsetMs: -250_000, clockDriftPpm: 20, seed: 4 }])
const only = ({ listeners }: Simulation) => listeners[0]!
const kinds = ['element', 'fineVideo', 'coarseVideo', 'streaming'] as const
const toleratedMs = { library: 2, element: 6, video: 140, streaming: 190 }

/** Creates a device that stalls for `forMs`, starting `afterMs` after the start of its simulation. */
function stallingDevice(kind: (typeof kinds)[number], afterMs: number, forMs: number): FakePlayerOptions {
  const probe = alone(deviceOptions[kind])
  const startedAtMs = only(probe).listener.ownClock.deviceNow()
  return {
    ...deviceOptions[kind],
    stalls: [{ fromMs: startedAtMs + afterMs, untilMs: startedAtMs + afterMs + forMs }],
  }
}

describe('a player that stalls', () => {
  it.each(kinds)('(%s) is reported as buffering, and seeks once when it moves again', (kind) => {
    const simulation = alone(stallingDevice(kind, 20_000, 8_000))
    startPlaying(simulation)
    const { clock, room } = simulation
    const { listener, soundErrorMs, player } = only(simulation)
    clock.advance(8_000)
    listener.align()
    clock.advance(10_000 - 100)
    const before = listener.actions.length
    const timeline = room.state.timeline
    clock.advance(7_800)
    expect(listener.outcome?.cause).toBe('buffering')
    expect(soundErrorMs()).toBeNull()
    clock.advance(4_500)
    const seeks = listener.actions.slice(before).filter(({ type }) => type === 'alignAt')
    expect(seeks).toHaveLength(1)
    expect(Math.abs(soundErrorMs() ?? Infinity)).toBeLessThan(toleratedMs[player.capabilities.profile])
    expect(room.state.timeline).toBe(timeline)
  })

  it.each(kinds)('(%s) repeatedly seeks at most three times a minute', (kind) => {
    const startedAtMs = only(alone(deviceOptions[kind])).listener.ownClock.deviceNow()
    const stalls = Array.from({ length: 20 }, (_, index) => ({
      fromMs: startedAtMs + 8_000 + index * 8_000,
      untilMs: startedAtMs + 11_000 + index * 8_000,
    }))
    const simulation = alone({ ...deviceOptions[kind], stalls })
    startPlaying(simulation)
    const fromMs = simulation.clock.now()
    simulation.clock.advance(260_000)
    expect(mostSeeksPerMinute(only(simulation).listener, fromMs)).toBeLessThanOrEqual(3)
    expect(Math.abs(only(simulation).soundErrorMs() ?? Infinity)).toBeLessThan(
      toleratedMs[deviceOptions[kind].capabilities.profile],
    )
  })
})

describe('a slow device', () => {
  it('is measured after some seeks, and is then on time', () => {
    const simulation = alone({ ...deviceOptions.coarseVideo, seekLatencyMs: 1_400, latencyJitterMs: 20 })
    startPlaying(simulation)
    const { listener, soundErrorMs } = only(simulation)
    for (let time = 0; time < 12; time++) {
      simulation.clock.advance(10_000)
      listener.align()
    }
    simulation.clock.advance(10_000)
    expect(Math.abs(listener.outcome!.history.latencies.seek.meanMs! - 1_400)).toBeLessThan(100)
    expect(Math.abs(soundErrorMs()!)).toBeLessThan(120)
  })
})

describe('a listener who interferes', () => {
  it.each(['library', ...kinds] as const)('by pausing the player (%s) is soon overruled', (kind) => {
    const simulation = alone(deviceOptions[kind])
    startPlaying(simulation)
    const { player, listener, soundErrorMs } = only(simulation)
    simulation.clock.advance(30_000)
    player.interrupt(listener.ownClock.deviceNow())
    simulation.clock.advance(15_000)
    expect(Math.abs(soundErrorMs() ?? Infinity)).toBeLessThan(toleratedMs[player.capabilities.profile])
  })

  it('by nudging moves only their own sound, by exactly that amount', () => {
    const simulation = alone(deviceOptions.library)
    startPlaying(simulation)
    simulation.clock.advance(10_000)
    only(simulation).listener.setNudge(40)
    simulation.clock.advance(5_000)
    expect(only(simulation).soundErrorMs()).toBeCloseTo(-40, 0)
    expect(only(simulation).listener.outcome).toMatchObject({ cause: 'in_sync' })
  })
})

describe('the owner’s commands', () => {
  it.each(['library', 'element'] as const)('4.11a take effect at their instant (%s)', (kind) => {
    const simulation = alone(deviceOptions[kind])
    startPlaying(simulation)
    const { clock, room } = simulation
    const { soundErrorMs } = only(simulation)
    clock.advance(20_000)
    room.command({ type: 'seek', positionMs: 300_000 })
    clock.advance(room.state.timeline.atServerMs - clock.now() + 300)
    expect(Math.abs(soundErrorMs() ?? Infinity)).toBeLessThan(kind === 'library' ? 2 : 30)
  })

  it.each(['library', ...kinds] as const)(
    '4.12, 4.19a a pause silences the listener within 200 ms (%s)',
    (kind) => {
      const simulation = alone(deviceOptions[kind])
      startPlaying(simulation)
      const { clock, room } = simulation
      const { soundErrorMs, player, listener } = only(simulation)
      clock.advance(20_000)
      room.command({ type: 'pause' })
      clock.advance(200)
      expect(soundErrorMs()).toBeNull()
      const sample = player.sample(listener.ownClock.deviceNow())
      expect(sample).toMatchObject({ status: 'paused', positionMs: room.state.timeline.positionMs })
    },
  )
})
