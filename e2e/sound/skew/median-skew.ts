import { median } from '@earshot/core/statistics'
import { recordedRate } from '../recording/recording.ts'
import type { Skew } from './skew.ts'
import type { Sounds } from './sounds.ts'
import { createWindowComparison } from './window-skew.ts'

/** 250 ms: short enough for a correction of 0.3 % to leave the two alike within a window. */
const windowFrames = recordedRate / 4
/** Players that can only seek are up to 0.25 s apart, and for a moment more. */
const comparison = createWindowComparison(windowFrames, (65_536 - windowFrames) / 2)

/** Below this a stutter tore the window, or the sounds differ. */
const minCorrelation = 0.3
const minWindows = 3

/** Measures how much later the second of two sounds is than the first, up to 0.55 s: medians over windows of 250 ms. */
export function medianSkew(sounds: Sounds): Skew {
  const skews: Skew[] = []
  for (let from = 0; from + windowFrames <= sounds.frames; from += windowFrames) {
    const [a, b] = [0, 1].map((person) => comparison.prepare(readAround(sounds, person, from)))
    if (a && b) skews.push(comparison.compare(a, b))
  }
  const intact = skews.filter((skew) => skew.correlation >= minCorrelation)
  const counted = intact.length >= minWindows ? intact : skews
  return {
    lagMs: median(counted.map((skew) => skew.lagMs)),
    correlation: median(counted.map((skew) => skew.correlation)),
  }
}

const readAround = (sounds: Sounds, person: number, from: number): Float32Array =>
  sounds.read(person, from - comparison.marginFrames, windowFrames + 2 * comparison.marginFrames)
