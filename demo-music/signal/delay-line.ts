/** A ring of past samples. */
export interface DelayLine {
  write(sample: number): void
  /** The sample written `frames` writes ago (1 is the last one), interpolated between neighbours. */
  read(frames: number): number
}

/** `longest` is the most frames that will ever be read back. */
export function createDelayLine(longest: number): DelayLine {
  const size = 2 ** Math.ceil(Math.log2(longest + 3))
  const mask = size - 1
  const ring = new Float32Array(size)
  let head = 0
  return {
    write(sample) {
      ring[head] = sample
      head = (head + 1) & mask
    },
    read(frames) {
      const whole = Math.floor(frames)
      const share = frames - whole
      const newer = ring[(head - whole) & mask] ?? 0
      if (share === 0) return newer
      const older = ring[(head - whole - 1) & mask] ?? 0
      return newer + (older - newer) * share
    },
  }
}
