/** Frames a second of everything that is rendered here; also the rate Opus works at. */
export const sampleRate = 48_000

/** Two channels of equal length, full scale at 1. */
export interface Stereo {
  readonly left: Float32Array
  readonly right: Float32Array
}

export function toFrames(seconds: number): number {
  return Math.round(seconds * sampleRate)
}

export function createStereo(frames: number): Stereo {
  return { left: new Float32Array(frames), right: new Float32Array(frames) }
}

/** Replaces every sample of one channel by what `change` makes of it, in order of time. */
export function changeChannel(
  channel: Float32Array,
  change: (sample: number, frame: number) => number,
): void {
  for (let frame = 0; frame < channel.length; frame += 1) channel[frame] = change(channel[frame] ?? 0, frame)
}

/** Multiplies both channels, by a constant or by a gain for each frame. */
export function applyGain(signal: Stereo, gain: number | ((frame: number) => number)): void {
  const { left, right } = signal
  for (let frame = 0; frame < left.length; frame += 1) {
    const factor = typeof gain === 'number' ? gain : gain(frame)
    left[frame] = (left[frame] ?? 0) * factor
    right[frame] = (right[frame] ?? 0) * factor
  }
}

/** Adds `signal` times `gain` to `target`, both channels. */
export function mixInto(target: Stereo, signal: Stereo, gain: number): void {
  const { left, right } = target
  for (let frame = 0; frame < left.length; frame += 1) {
    left[frame] = (left[frame] ?? 0) + gain * (signal.left[frame] ?? 0)
    right[frame] = (right[frame] ?? 0) + gain * (signal.right[frame] ?? 0)
  }
}

export function fromDecibels(decibels: number): number {
  return 10 ** (decibels / 20)
}

export function toDecibels(ratio: number): number {
  return 20 * Math.log10(Math.max(ratio, 1e-10))
}

/** The largest absolute sample of both channels. */
export function findPeak(signal: Stereo): number {
  let peak = 0
  for (const channel of [signal.left, signal.right]) {
    for (const sample of channel) peak = Math.max(peak, Math.abs(sample))
  }
  return peak
}
