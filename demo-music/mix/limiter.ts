import { changeChannel, toFrames } from '../signal/stereo.ts'
import type { Stereo } from '../signal/stereo.ts'

const lookaheadSeconds = 0.004
const releaseSeconds = 0.12

/** The gain each frame needs so that neither channel passes the ceiling. */
function findNeededGain(signal: Stereo, ceiling: number): Float32Array {
  const gain = new Float32Array(signal.left.length)
  changeChannel(gain, (_, frame) => {
    const peak = Math.max(Math.abs(signal.left[frame] ?? 0), Math.abs(signal.right[frame] ?? 0))
    return peak > ceiling ? ceiling / peak : 1
  })
  return gain
}

/** The least gain among this frame and the `reach` frames before it (a queue of rising gains holds candidates). */
function holdLeast(gain: Float32Array, reach: number): Float32Array {
  const least = new Float32Array(gain.length)
  const candidates = new Int32Array(gain.length)
  let first = 0
  let end = 0
  for (let frame = 0; frame < gain.length; frame += 1) {
    const value = gain[frame] ?? 1
    while (end > first && (gain[candidates[end - 1] ?? 0] ?? 1) >= value) end -= 1
    candidates[end] = frame
    end += 1
    if ((candidates[first] ?? 0) < frame - reach) first += 1
    least[frame] = gain[candidates[first] ?? 0] ?? 1
  }
  return least
}

/**
 * Keeps every sample within the ceiling (0..1) without distortion: the gain moves down ahead of a peak, over a few
 * milliseconds, and comes back slowly.
 */
export function limitPeaks(signal: Stereo, ceiling: number): void {
  const reach = toFrames(lookaheadSeconds)
  const least = holdLeast(findNeededGain(signal, ceiling), reach)
  const recovery = 1 - Math.exp(-1 / toFrames(releaseSeconds))
  let held = 1
  changeChannel(least, (needed) => (held = Math.min(needed, held + (1 - held) * recovery)))
  const smooth = new Float32Array(least.length)
  let sum = reach + 1
  changeChannel(smooth, (_, frame) => {
    sum += (least[frame] ?? 1) - (frame > reach ? (least[frame - reach - 1] ?? 1) : 1)
    return sum / (reach + 1)
  })
  const ahead = (frame: number) => smooth[Math.min(frame + reach, smooth.length - 1)] ?? 1
  for (const channel of [signal.left, signal.right]) {
    changeChannel(channel, (sample, frame) => {
      const limited = sample * ahead(frame)
      return Math.max(-ceiling, Math.min(ceiling, limited))
    })
  }
}
