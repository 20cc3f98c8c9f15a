/** Shares of a channel that sounds from between two speakers, or of two that share one. */
const half = Math.SQRT1_2

/**
 * Brings channels into a layout that Web Audio mixes down: mono, stereo, quad or 5.1 (left, right, centre, LFE, and left and
 * right surround). Of any other number it plays the first two channels only, without the centre, where voices are. Takes
 * them in the order of FLAC (RFC 9639, 9.1.3).
 */
export function toSpeakers(channels: Float32Array[]): Float32Array[] {
  const [left, right, centre] = channels
  if (!left || !right || !centre) return channels
  const silent = new Float32Array(left.length)
  const front = [left, right, centre]
  switch (channels.length) {
    case 3:
      return [...front, silent, silent, silent]
    case 5:
      return [...front, silent, ...channels.slice(3)]
    case 7: {
      const [lfe = silent, back = silent, sideLeft = silent, sideRight = silent] = channels.slice(3)
      return [...front, lfe, add(sideLeft, 1, back, half), add(sideRight, 1, back, half)]
    }
    case 8: {
      const [lfe = silent, backLeft = silent, backRight = silent, sideLeft = silent, sideRight = silent] =
        channels.slice(3)
      return [...front, lfe, add(sideLeft, half, backLeft, half), add(sideRight, half, backRight, half)]
    }
    default:
      return channels
  }
}

function add(one: Float32Array, oneGain: number, other: Float32Array, otherGain: number): Float32Array {
  return one.map((sample, index) => oneGain * sample + otherGain * (other[index] ?? 0))
}
