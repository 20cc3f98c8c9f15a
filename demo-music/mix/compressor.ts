import { fromDecibels, sampleRate, toDecibels } from '../signal/stereo.ts'
import type { Effect } from '../effects/modulation.ts'

export interface CompressorSettings {
  thresholdDecibels: number
  /** Decibels in for one decibel out, above the threshold. */
  ratio: number
  attackSeconds: number
  releaseSeconds: number
}

/** The gain is computed every so many frames. */
const controlFrames = 32

/** Holds a mix together: what is loud is turned down slowly, both channels alike. */
export function compress(settings: CompressorSettings): Effect {
  const rise = 1 - Math.exp(-1 / (settings.attackSeconds * sampleRate))
  const fall = 1 - Math.exp(-1 / (settings.releaseSeconds * sampleRate))
  return ({ left, right }) => {
    let power = 0
    let target = 1
    let gain = 1
    for (let frame = 0; frame < left.length; frame += 1) {
      const leftIn = left[frame] ?? 0
      const rightIn = right[frame] ?? 0
      const now = (leftIn * leftIn + rightIn * rightIn) / 2
      power += (now - power) * (now > power ? rise : fall)
      if (frame % controlFrames === 0) {
        const over = Math.max(0, toDecibels(Math.sqrt(power)) - settings.thresholdDecibels)
        target = fromDecibels(-over * (1 - 1 / settings.ratio))
      }
      gain += (target - gain) * 0.01
      left[frame] = leftIn * gain
      right[frame] = rightIn * gain
    }
  }
}
