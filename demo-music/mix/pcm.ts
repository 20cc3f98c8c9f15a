import type { Stereo } from '../signal/stereo.ts'

const bytesPerSample = 3
const fullScale = 2 ** 23 - 1

/** Interleaved signed samples of 24 bits, little-endian. */
export function toPcm(signal: Stereo): Uint8Array<ArrayBuffer> {
  const pcm = new Uint8Array(signal.left.length * 2 * bytesPerSample)
  let offset = 0
  for (let frame = 0; frame < signal.left.length; frame += 1) {
    for (const channel of [signal.left, signal.right]) {
      const sample = Math.round(Math.max(-1, Math.min(1, channel[frame] ?? 0)) * fullScale)
      pcm[offset] = sample & 0xff
      pcm[offset + 1] = (sample >> 8) & 0xff
      pcm[offset + 2] = (sample >> 16) & 0xff
      offset += bytesPerSample
    }
  }
  return pcm
}
