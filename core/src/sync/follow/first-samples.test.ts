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

describe('a library track', () => {
  interface Sound {
    errorMs: number
    /** How long it has sounded at the first sample. Default: not yet. */
    ageMs?: number
    uncertaintyMs?: number
    clock?: Partial<ClockState>
    everyMs?: number
    /** The error that was corrected last. Default: none since the start. */
    correctsErrorMs?: number | null
  }

  /** Follows a sound until it is corrected. Returns the outcome; null within 8 samples without a correction. */
  function correct({ errorMs, ageMs = 0, uncertaintyMs = 0, everyMs = 250, ...rest }: Sound) {
    const usual = inputOf({ capabilities: capabilitiesOf.library })
    const input = { ...usual, clock: { ...usual.clock, ...rest.clock } }
    const lastAction = {
      kind: 'play',
      calledAtMs: nowMs - 5_000,
      soundsAtMs: nowMs - ageMs,
      correctsErrorMs: rest.correctsErrorMs ?? null,
      isPending: false,
    } as const
    let history: FollowHistory = { ...settled(input), lastAction }
    for (let turn = 1; turn <= 8; turn += 1) {
      const atMs = nowMs + turn * everyMs
      const positionMs = targetPosition(toFollowCall({ ...input, nowMs: atMs, history }), atMs) + errorMs
      const sample = { ...sampleOf('playing', positionMs, atMs), uncertaintyMs }
      const outcome = follow({ ...input, nowMs: atMs, sample, history })
      if (outcome.action.type !== 'hold') return outcome
      history = outcome.history
    }
    return null
  }
  const actionFor = (sound: Sound) => correct(sound)?.action ?? null
  const slowly = { type: 'setRate', rate: 0.997 }

  it('10.22 is re-aligned from 2 ms on in its first 3 s, once', () => {
    expect(actionFor({ errorMs: 1.9 })).toEqual({ type: 'setRate', rate: 0.9981 })
    expect(actionFor({ errorMs: 4 })).toMatchObject({ type: 'alignAt' })
    expect(actionFor({ errorMs: -4, ageMs: 2_200 })).toMatchObject({ type: 'alignAt' })
    expect(actionFor({ errorMs: 4, ageMs: 2_500 })).toEqual(slowly)
    expect(actionFor({ errorMs: 4, correctsErrorMs: 5 })).toEqual(slowly)
  })

  it('10.22 is not, while the clock is slewed or the position may be off by 2 ms', () => {
    expect(actionFor({ errorMs: 4, clock: { residual: { ms: 20, fromMs: nowMs } } })).toEqual(slowly)
    expect(actionFor({ errorMs: 4, uncertaintyMs: 2.1 })).toEqual({ type: 'setRate', rate: 0.999 })
    expect(actionFor({ errorMs: 4, uncertaintyMs: 1.9 })).toMatchObject({ type: 'alignAt' })
    expect(actionFor({ errorMs: 8.1, uncertaintyMs: 20 })).toMatchObject({ type: 'alignAt' })
  })

  it('10.22 keeps its three seeks a minute for larger errors', () => {
    expect(correct({ errorMs: 4 })?.history.correctedAtMs).toEqual([])
    expect(correct({ errorMs: 9 })?.history.correctedAtMs).toHaveLength(1)
  })

  it('10.22 by a clock on an unsteady path is corrected from 1 ms on, by rate, slowly', () => {
    const { line } = inputOf({}).clock
    const clock = { line: line && { ...line, samplingErrorMs: 0.5 } }
    expect(actionFor({ errorMs: 0.8 })).toMatchObject({ type: 'setRate' })
    expect(actionFor({ errorMs: 0.8, clock })).toBeNull()
    expect(actionFor({ errorMs: 4, clock })).toEqual({ type: 'setRate', rate: 0.999 })
  })

  it('10.22 of a hidden page, which is looked at once a second, is corrected slowly, so that it does not swing', () => {
    expect(actionFor({ errorMs: 2, ageMs: 60_000 })).toEqual({ type: 'setRate', rate: 0.998 })
    expect(actionFor({ errorMs: 2, ageMs: 60_000, everyMs: 1_000 })).toEqual({
      type: 'setRate',
      rate: 0.9995,
    })
  })
})
