import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviceOptions } from './fake-player.ts'
import { calmNetwork } from './lossy-network.ts'
import { createSimulation } from './simulation.ts'
import { histories, people, runHistory } from './network-arbitraries.ts'

// A failing run prints its seed and path; `fc.assert(property, { seed, path })` repeats it.

/**
 * The maximum error of a settled device of each kind: its dead band plus measurement noise. For devices that can only
 * seek, the band may double after three seeks without effect.
 */
const toleratedMs = { library: 2, element: 6, video: 2 * 120 + 20, streaming: 2 * 150 + 40 }

describe('over a network that drops, delays, duplicates and reorders', () => {
  it('4.19b, 4.19d all listeners have the room’s timeline and the server’s time within 3 s after it calms', () => {
    fc.assert(
      fc.property(people, histories, (options, history) => {
        const { clock, room, listeners } = runHistory(options, history)
        // A message sent on the bad network may still arrive before the first answer.
        clock.advance(25)
        const errorsBefore = listeners.map(({ clockErrorMs }) => Math.abs(clockErrorMs()))
        clock.advance(2_955)
        const sent = room.state.timeline
        clock.advance(20)
        listeners.forEach(({ listener, clockErrorMs }, index) => {
          // A timeline of the last 20 ms may still be in transit.
          expect([sent, room.state.timeline]).toContainEqual(listener.timeline)
          // An error too small for a step is slewed by 10 ms a second: about 25 ms in this time.
          const leftMs = Math.max(0, (errorsBefore[index] ?? 0) - 25)
          expect(Math.abs(clockErrorMs())).toBeLessThan(3 + leftMs)
        })
        clock.advance(3_000)
        for (const { clockErrorMs } of listeners) expect(Math.abs(clockErrorMs())).toBeLessThan(2)
      }),
      { numRuns: 60 },
    )
  })

  it('10.22 library listeners are in sync within 3 s after the network calms, and later within 2 ms', () => {
    fc.assert(
      fc.property(people, histories, (options, history) => {
        const withLibrary = options.map((option) => ({ ...option, device: deviceOptions.library }))
        const { clock, room, listeners } = runHistory(withLibrary, history)
        const expectWithin = (boundMs: number): void => {
          const { isPlaying, atServerMs } = room.state.timeline
          // A track cued on the bad network may have started just now.
          if (clock.now() - atServerMs < 500) return
          for (const { soundErrorMs, clockErrorMs } of listeners) {
            const errorMs = soundErrorMs()
            expect(errorMs !== null).toBe(isPlaying)
            expect(Math.abs(errorMs ?? 0)).toBeLessThan(boundMs + Math.abs(clockErrorMs()))
          }
        }
        // Errors above 8 ms are aligned at once, smaller ones corrected by 3 ms a second. Until the next samples the
        // clock may slew by another 10 ms a second.
        clock.advance(3_000)
        expectWithin(20)
        clock.advance(15_000)
        expectWithin(2)
      }),
      { numRuns: 60 },
    )
  })

  it('10.22 a start that was scheduled before the clock was found to have stopped is scheduled again', () => {
    const conditions = { ...calmNetwork, upDelayMs: 1, downDelayMs: 1, stallRate: 0.02, stallMs: 154 }
    const options = {
      device: deviceOptions.library,
      conditions,
      clockOffsetMs: 0,
      clockDriftPpm: 0,
      seed: 1_438_655_314,
    }
    // The machine sleeps until after the start, with a clock that is not usable yet.
    const { clock, listeners } = runHistory(
      [options],
      [
        { step: { type: 'sleep', ms: 2_952, listenerIndex: 0 }, afterMs: 2_230 },
        { step: { type: 'play' }, afterMs: 1_612 },
        { step: { type: 'sleep', ms: 1, listenerIndex: 0 }, afterMs: 1_342 },
      ],
    )
    clock.advance(1_000)
    expect(Math.abs(listeners[0]!.soundErrorMs() ?? Infinity)).toBeLessThan(2)
  })

  it('4.19a, 4.19b all settled listeners play at the room’s position, or are paused with it', () => {
    fc.assert(
      fc.property(people, histories, (options, history) => {
        const { clock, room, listeners } = runHistory(options, history)
        // A listener who has used the three seeks of a minute must wait for the next.
        clock.advance(75_000)
        const { isPlaying } = room.state.timeline
        for (const { player, soundErrorMs, listener } of listeners) {
          const errorMs = soundErrorMs()
          expect(errorMs !== null).toBe(isPlaying)
          expect(player.loadedTrackId).toBe(listener.timeline.trackId ?? player.loadedTrackId)
          expect(Math.abs(errorMs ?? 0)).toBeLessThan(toleratedMs[player.capabilities.profile])
        }
      }),
      { numRuns: 40 },
    )
  })

  it('a change of a 200 ms path asymmetry is corrected by a step', () => {
    const lopsided = { ...calmNetwork, upDelayMs: 210, downDelayMs: 10 }
    const simulation = createSimulation([
      { device: deviceOptions.library, conditions: lopsided, clockOffsetMs: 0, clockDriftPpm: 0, seed: 1 },
    ])
    const [person] = simulation.listeners
    simulation.clock.advance(5_000)
    expect(person!.clockErrorMs()).toBeCloseTo(100, 0)
    person!.network.setConditions(calmNetwork)
    simulation.clock.advance(3_000)
    expect(person!.clockErrorMs()).toBeCloseTo(0, 0)
  })
})
