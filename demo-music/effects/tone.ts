import { designBand, filterChannel } from '../signal/biquad.ts'
import { createFilter } from '../signal/filter.ts'
import { changeChannel } from '../signal/stereo.ts'
import type { Band } from '../signal/biquad.ts'
import type { Curve } from '../signal/curve.ts'
import type { FilterKind } from '../signal/filter.ts'
import type { Effect } from './modulation.ts'

/** Fixed bands, one after the other. */
export function equalise(...bands: Band[]): Effect {
  return ({ left, right }) => {
    for (const channel of [left, right]) {
      for (const band of bands) filterChannel(channel, designBand(band))
    }
  }
}

/** A filter that moves through the piece. */
export function sweepFilter(kind: FilterKind, hertz: Curve, q = 0.8): Effect {
  return ({ left, right }) => {
    for (const channel of [left, right]) {
      const filter = createFilter(kind)
      changeChannel(channel, (sample, frame) => filter(sample, hertz(frame), q))
    }
  }
}

/** Rounds peaks off as tape does; `drive` 1 is warm, 4 is crushed. Quiet sound keeps its level. */
export function saturateTape(drive: number): Effect {
  return ({ left, right }) => {
    for (const channel of [left, right]) changeChannel(channel, (sample) => Math.tanh(sample * drive) / drive)
  }
}
