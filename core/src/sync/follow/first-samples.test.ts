import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from '../../testing/fake-player.ts'
import { inputOf, makeClock, nowMs, offsetMs, sampleOf } from '../../testing/follow-inputs.ts'
import { follow } from './follow.ts'
import type { FollowInput, FollowOutcome } from './follow-state.ts'
import type { PositionSample } from './player-state.ts'

/** The room is at 60 s at `nowMs`. */
const roomMs = 60_000
const soundsAfterMs = 100

/** A listener who has just been told to play. */
function started(rest: Partial<FollowInput> = {}): FollowInput {
  const input = inputOf(rest)
  return { ...input, history: follow(input).history }
}

/** Follows a position that is off by some ms, some time after the start was decided. */
function lookAfter(ms: number, errorMs: number, rest: Partial<FollowInput> = {}): FollowOutcome {
  const atMs = nowMs + ms
  const sample: PositionSample = {
    ...sampleOf('playing', roomMs + ms + errorMs, atMs),
    uncertaintyMs: 2,
  }
  return follow({ ...started(rest), nowMs: atMs, sample })
}

describe('the first samples of a start', () => {
  it('11.4a are in sync as soon as a player that schedules sounds, with what the error may be off', () => {
    const outcome = lookAfter(soundsAfterMs + 1, 0.5)
    expect(outcome).toMatchObject({ action: { type: 'hold' }, cause: 'in_sync' })
    expect(outcome.errorMs).toBeCloseTo(0.5, 3)
    expect(outcome.uncertaintyMs).toBeGreaterThan(2)
  })

  it('11.4a are looked at when the sound begins, not before', () => {
    const early = lookAfter(soundsAfterMs - 40, 0)
    expect(early).toMatchObject({ cause: 'correcting', errorMs: null })
    expect(early.wakeAtMs).toBeCloseTo(nowMs + soundsAfterMs, 3)
  })

  it('11.4a have no figure while the sound is not in sync, and are looked at again soon', () => {
    const atMs = nowMs + soundsAfterMs + 1
    const late = lookAfter(soundsAfterMs + 1, 60)
    expect(late).toMatchObject({ action: { type: 'hold' }, cause: 'correcting', errorMs: null })
    expect(late.wakeAtMs).toBeCloseTo(atMs + 50, 3)
  })

  it('11.4a are not called in sync before the clock has settled', () => {
    // Sparse answers with jitter: usable by count, but its bounds still move.
    const clock = { ...makeClock(offsetMs, nowMs), isSettled: false }
    expect(lookAfter(soundsAfterMs + 1, 0, { clock }).cause).toBe('no_clock')
  })

  it('11.4a of a player that cannot schedule have no figure for half a second', () => {
    const outcome = lookAfter(soundsAfterMs + 50, 0, { capabilities: capabilitiesOf.element })
    expect(outcome).toMatchObject({ cause: 'correcting', errorMs: null, wakeAtMs: null })
  })

  it('11.4b are not corrected', () => {
    let input = started()
    for (let afterMs = soundsAfterMs + 10; afterMs < soundsAfterMs + 500; afterMs += 50) {
      const atMs = nowMs + afterMs
      const outcome = follow({
        ...input,
        nowMs: atMs,
        sample: sampleOf('playing', roomMs + afterMs + 20, atMs),
      })
      expect(outcome.action.type).toBe('hold')
      input = { ...input, history: outcome.history }
    }
    expect(input.history.errors).toEqual([])
  })
})
