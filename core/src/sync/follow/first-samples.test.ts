import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from '../../testing/fake-player.ts'
import { inputOf, makeClock, nowMs, offsetMs, sampleOf, settled } from '../../testing/follow-inputs.ts'
import type { ClockState } from '../clock/clock-offset.ts'
import { targetPosition } from './follow-actions.ts'
import { follow } from './follow.ts'
import { toFollowCall, type FollowHistory, type FollowInput, type FollowOutcome } from './follow-state.ts'
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

describe('10.22 the first seconds of a library track', () => {
  /** Follows a sound that began at an instant and is off by some ms, until it is corrected. */
  const correct = (errorMs: number, soundsAtMs: number, clock: Partial<ClockState> = {}) => {
    const usual = inputOf({ capabilities: capabilitiesOf.library })
    const input = { ...usual, clock: { ...usual.clock, ...clock } }
    const start = { kind: 'play', calledAtMs: nowMs - 100, correctsErrorMs: null, isPending: false } as const
    let history: FollowHistory = { ...settled(input), lastAction: { ...start, soundsAtMs } }
    for (let atMs = nowMs + 250; atMs < nowMs + 2_000; atMs += 250) {
      const positionMs = targetPosition(toFollowCall({ ...input, nowMs: atMs, history }), atMs) + errorMs
      const sample = sampleOf('playing', positionMs, atMs)
      const outcome = follow({ ...input, nowMs: atMs, sample, history })
      if (outcome.action.type !== 'hold') return outcome.action
      history = outcome.history
    }
    return null
  }

  it('10.22 are corrected by a seek from 2 ms on for 3 s, once the clock is not slewed', () => {
    expect(correct(1.9, nowMs)).toEqual({ type: 'setRate', rate: 0.9981 })
    expect(correct(4, nowMs)).toMatchObject({ type: 'alignAt' })
    expect(correct(4, nowMs - 2_500)).toEqual({ type: 'setRate', rate: 0.997 })
    expect(correct(4, nowMs, { residual: { ms: 20, fromMs: nowMs } })).toEqual({
      type: 'setRate',
      rate: 0.997,
    })
  })

  it('10.22 by a clock on an unsteady path are corrected as later ones: from 1 ms on, by rate, slowly', () => {
    const { line } = inputOf({}).clock
    const unsteady = { line: line && { ...line, samplingErrorMs: 0.5 } }
    expect(correct(0.8, nowMs)).toMatchObject({ type: 'setRate' })
    expect(correct(0.8, nowMs, unsteady)).toBeNull()
    expect(correct(4, nowMs, unsteady)).toEqual({ type: 'setRate', rate: 0.999 })
  })
})
