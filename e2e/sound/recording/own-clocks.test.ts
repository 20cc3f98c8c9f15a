import { describe, expect, it } from 'vitest'
import { toSystemClock } from './own-clocks.ts'
import { judgeSession } from '../skew/session-windows.ts'
import { toSounds } from '../skew/sounds.ts'
import { delayed, makeNoise } from '../skew/testing/sounds.ts'

const room = makeNoise(2_000, 1)

/** The skew at the middle of the recording, ms. */
function skewInTheMiddle(a: Float32Array, b: Float32Array): number {
  const window = [...judgeSession(toSounds([a, b]))].find(({ fromMs }) => fromMs === 1_000)
  return window?.pairs[0]?.lagMs ?? NaN
}

describe('the recording of devices with clocks of their own', () => {
  it.each([60, -40, 500])('shows on the system clock how a device at %d ppm plays ahead', (ppm) => {
    // An uncorrected player gives every device the same samples: a faster device plays them earlier and earlier.
    const onSystemClock = toSystemClock(room, ppm)
    expect(skewInTheMiddle(room, onSystemClock)).toBeCloseTo(-ppm * 1e-6 * 1_020, 2)
  })

  it('shows no skew of a player that corrects the clock of its device', () => {
    const corrected = delayed(room, 0, 1 / (1 + 500e-6))
    expect(skewInTheMiddle(room, toSystemClock(corrected, 500))).toBeCloseTo(0, 2)
  })
})
