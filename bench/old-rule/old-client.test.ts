import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { type OldState, createOldClient } from './old-client.ts'
import { ownerOptions } from './pair.ts'

/** A listener that plays at 0 and receives the owner's position one second late. */
function hearLate(positionMs: number, { clockOffsetMs = 0, isJoin = false } = {}): number {
  const clock = createFakeClock()
  const listener = createOldClient(clock, {
    ...ownerOptions,
    device: { ...ownerOptions.device, noiseMs: 0 },
    clockOffsetMs,
  })
  listener.play()
  const state: OldState = { isPlaying: true, positionMs, timestampMs: clock.now(), sequenceNumber: 1 }
  clock.advance(1_000)
  listener.follow(state, isJoin)
  return listener.soundingAt() ?? NaN
}

it('goes to the elapsed time and 100 ms', () => {
  expect(hearLate(60_000)).toBeCloseTo(61_100, 3)
})

it('trusts its own clock', () => {
  expect(hearLate(60_000, { clockOffsetMs: 1_500 })).toBeCloseTo(62_600, 3)
})

it('goes to where the owner was, where that was in the future or over 10 s ago', () => {
  expect(hearLate(60_000, { clockOffsetMs: -1_500 })).toBeCloseTo(60_000, 3)
  expect(hearLate(60_000, { clockOffsetMs: 9_001 })).toBeCloseTo(60_000, 3)
})

it('stays where it is within 2 s', () => {
  expect(hearLate(1_899)).toBeCloseTo(1_000, 3)
  expect(hearLate(1_901)).toBeCloseTo(3_001, 3)
})

it('starts at 0 after a join', () => {
  expect(hearLate(60_000, { isJoin: true })).toBeCloseTo(1_000, 3)
})
