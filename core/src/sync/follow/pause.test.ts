import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { capabilitiesOf } from '../../testing/fake-player.ts'
import { inputOf, nowMs, offsetMs, sampleOf, timelineOf } from '../../testing/follow-inputs.ts'
import { initialClock } from '../clock/clock-offset.ts'
import { follow } from './follow.ts'

describe('a pause', () => {
  const timeline = timelineOf({ isPlaying: false, positionMs: 42_000, atServerMs: nowMs + offsetMs - 1_000 })

  it('4.19a stops the player at the room’s position', () => {
    const input = inputOf({ timeline, sample: sampleOf('playing', 42_160) })
    const { action, cause, history } = follow(input)
    expect(action).toEqual({ type: 'pause', positionMs: 42_000, atClientMs: nowMs })
    expect(cause).toBe('paused')
    expect(follow({ ...input, history }).action.type).toBe('hold')
    const later = { ...input, nowMs: nowMs + 600, history }
    expect(follow(later).action.type).toBe('pause')
  })

  describe('17.446 that has just happened', () => {
    const justPaused = { ...timeline, atServerMs: nowMs + offsetMs - 30 }
    const stopsAtMs = nowMs - 30 + limits.stopAfterMs
    const input = inputOf({ timeline: justPaused, sample: sampleOf('playing', 42_030) })

    it('stops scheduled sound 0.15 s after its instant, on the clock of the server', () => {
      const { action } = follow(input)
      expect(action).toMatchObject({ type: 'pause', positionMs: 42_000 })
      expect(action).toHaveProperty('atClientMs', expect.closeTo(stopsAtMs, 3))
    })

    it('stops as much later as the listener has nudged the device', () => {
      const { action } = follow({ ...input, nudgeMs: 50 })
      expect(action).toHaveProperty('atClientMs', expect.closeTo(stopsAtMs + 50, 3))
      expect(follow({ ...input, nudgeMs: -200 }).action).toMatchObject({ atClientMs: nowMs })
    })

    it('stops an audio element then', () => {
      const element = { ...input, capabilities: capabilitiesOf.element }
      const waiting = follow(element)
      expect(waiting).toMatchObject({ action: { type: 'hold' }, cause: 'paused' })
      expect(waiting.wakeAtMs).toBeCloseTo(stopsAtMs, 3)
      const { action } = follow({ ...element, nowMs: stopsAtMs + 1, history: waiting.history })
      expect(action).toMatchObject({ type: 'pause', positionMs: 42_000 })
    })

    it('stops at once where its clock says that the pause is yet to come', () => {
      const ahead = { ...justPaused, atServerMs: nowMs + offsetMs + 3_000 }
      for (const capabilities of [capabilitiesOf.library, capabilitiesOf.element])
        expect(follow({ ...input, capabilities, timeline: ahead }).action).toMatchObject({
          atClientMs: nowMs,
        })
    })

    it('stops a video, and sound without a clock, at once', () => {
      expect(follow({ ...input, capabilities: capabilitiesOf.fineVideo }).action.type).toBe('pause')
      expect(follow({ ...input, clock: initialClock }).action).toMatchObject({ atClientMs: nowMs })
    })
  })

  it('moves a paused player once, and only if it is off', () => {
    const far = follow(inputOf({ timeline, sample: sampleOf('paused', 10_000) }))
    expect(far.action).toEqual({ type: 'pause', positionMs: 42_000, atClientMs: nowMs })
    const still = follow(inputOf({ timeline, sample: sampleOf('paused', 10_000), history: far.history }))
    expect(still.action.type).toBe('hold')
    expect(follow(inputOf({ timeline, sample: sampleOf('paused', 42_015) })).action.type).toBe('hold')
  })
})
