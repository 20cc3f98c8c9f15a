import { createDelayLine } from '../signal/delay-line.ts'
import { createFilter } from '../signal/filter.ts'
import { createStereo, sampleRate } from '../signal/stereo.ts'
import type { Stereo } from '../signal/stereo.ts'

export interface EchoSettings {
  seconds: number
  /** How much of each repeat comes back, below 1. */
  feedback: number
  /** Repeats lose what lies below `floorHertz` and above `ceilingHertz`. */
  floorHertz: number
  ceilingHertz: number
}

/** Repeats that jump from side to side; only the repeats, without the signal itself. */
export function renderEcho(send: Stereo, settings: EchoSettings): Stereo {
  const wet = createStereo(send.left.length)
  const frames = settings.seconds * sampleRate
  const near = createDelayLine(frames)
  const far = createDelayLine(frames)
  const floor = createFilter('high')
  const ceiling = createFilter('low')
  for (let frame = 0; frame < send.left.length; frame += 1) {
    const left = near.read(frames)
    const right = far.read(frames)
    const returned = ceiling(floor(right, settings.floorHertz, 0.7), settings.ceilingHertz, 0.7)
    near.write((send.left[frame] ?? 0) * 0.8 + (send.right[frame] ?? 0) * 0.4 + returned * settings.feedback)
    far.write(left * 0.9)
    wet.left[frame] = left
    wet.right[frame] = right
  }
  return wet
}
