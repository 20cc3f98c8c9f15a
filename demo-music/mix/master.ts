import { equalise } from '../effects/tone.ts'
import { applyGain, fromDecibels, toFrames } from '../signal/stereo.ts'
import { compress } from './compressor.ts'
import { limitPeaks } from './limiter.ts'
import { measureLoudness } from './loudness.ts'
import type { Stereo } from '../signal/stereo.ts'

export interface Fades {
  /** Seconds. */
  in: number
  out: number
}

/** The loudness that all tracks are brought to, so that nobody reaches for the volume between two of them. */
const targetLoudness = -16
/** Below the -1 dBFS that is promised: the codec lets peaks come out up to 2 dB higher. */
const ceilingDecibels = -3.3
/** No sound ends or begins at once: shorter fades than this would click. */
const shortestFade = 0.01

/** Brings a finished mix to its loudness, within the ceiling, from silence to silence. */
export function master(mix: Stereo, fades: Fades): void {
  equalise({ kind: 'low-cut', hertz: 28 })(mix)
  applyGain(mix, fromDecibels(targetLoudness - measureLoudness(mix)))
  compress({ thresholdDecibels: -18, ratio: 1.6, attackSeconds: 0.02, releaseSeconds: 0.25 })(mix)
  applyGain(mix, fromDecibels(targetLoudness - measureLoudness(mix)))
  limitPeaks(mix, fromDecibels(ceilingDecibels))
  applyFades(mix, fades)
}

function applyFades(mix: Stereo, fades: Fades): void {
  const last = mix.left.length - 1
  const rise = toFrames(Math.max(shortestFade, fades.in))
  const fall = toFrames(Math.max(shortestFade, fades.out))
  applyGain(mix, (frame) => {
    const share = Math.min(1, frame / rise, (last - frame) / fall)
    return share >= 1 ? 1 : Math.sin((share * Math.PI) / 2) ** 2
  })
}
