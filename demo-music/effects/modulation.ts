import { createDelayLine } from '../signal/delay-line.ts'
import { sampleRate } from '../signal/stereo.ts'
import type { Stereo } from '../signal/stereo.ts'

/** Changes a signal in place. */
export type Effect = (signal: Stereo) => void

/** Copies that drift in pitch, opposite on both sides: width and shimmer. `mix` 0..1. */
export function chorus(settings: { hertz: number; seconds: number; mix: number }): Effect {
  return ({ left, right }) => {
    const centre = 0.012 * sampleRate
    const swing = settings.seconds * sampleRate
    const lines = [createDelayLine(centre + swing + 2), createDelayLine(centre + swing + 2)] as const
    const dry = 1 - 0.4 * settings.mix
    for (let frame = 0; frame < left.length; frame += 1) {
      const angle = (2 * Math.PI * settings.hertz * frame) / sampleRate
      const sway = Math.sin(angle) + 0.3 * Math.sin(2.7 * angle)
      const leftIn = left[frame] ?? 0
      const rightIn = right[frame] ?? 0
      lines[0].write(leftIn)
      lines[1].write(rightIn)
      left[frame] = dry * leftIn + settings.mix * lines[0].read(centre + (swing * sway) / 1.3)
      right[frame] = dry * rightIn + settings.mix * lines[1].read(centre - (swing * sway) / 1.3)
    }
  }
}

/** Moves from side to side (`depth` 0..1), as the tremolo of a stage piano does. */
export function autoPan(hertz: number, depth: number): Effect {
  return ({ left, right }) => {
    for (let frame = 0; frame < left.length; frame += 1) {
      const sway = depth * Math.sin((2 * Math.PI * hertz * frame) / sampleRate)
      left[frame] = (left[frame] ?? 0) * (1 + sway)
      right[frame] = (right[frame] ?? 0) * (1 - sway)
    }
  }
}

/** The unsteady speed of an old tape: a slow wow and a faster flutter, both sides together. */
export function tapeWobble(wowSeconds: number, flutterSeconds: number): Effect {
  return ({ left, right }) => {
    const centre = (2 * wowSeconds + 2 * flutterSeconds) * sampleRate + 2
    const lines = [createDelayLine(2 * centre), createDelayLine(2 * centre)] as const
    for (let frame = 0; frame < left.length; frame += 1) {
      const at = frame / sampleRate
      const wow = Math.sin(2 * Math.PI * 0.55 * at) + 0.6 * Math.sin(2 * Math.PI * 0.31 * at + 1)
      const flutter = Math.sin(2 * Math.PI * 6.3 * at)
      const delay = centre + (wowSeconds * wow + flutterSeconds * flutter) * sampleRate
      lines[0].write(left[frame] ?? 0)
      lines[1].write(right[frame] ?? 0)
      left[frame] = lines[0].read(delay)
      right[frame] = lines[1].read(delay)
    }
  }
}
