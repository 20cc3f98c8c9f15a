import { filterChannel } from '../signal/biquad.ts'
import { sampleRate } from '../signal/stereo.ts'
import type { Stereo } from '../signal/stereo.ts'

/** The two filters of ITU-R BS.1770-4 at 48 kHz: the head, then the insensitivity to bass. */
const headShelf = {
  b0: 1.53512485958697,
  b1: -2.69169618940638,
  b2: 1.19839281085285,
  a1: -1.69065929318241,
  a2: 0.73248077421585,
}
const bassCut = { b0: 1, b1: -2, b2: 1, a1: -1.99004745483398, a2: 0.99007225036621 }

const blockSeconds = 0.4
const hopsPerBlock = 4
const absoluteGate = -70
const relativeGate = -10

/** The mean square of the weighted signal in every hop of 100 ms, both channels together. */
function measureHops(signal: Stereo): number[] {
  const hop = (blockSeconds / hopsPerBlock) * sampleRate
  const hops = Array.from({ length: Math.floor(signal.left.length / hop) }, () => 0)
  for (const channel of [signal.left, signal.right]) {
    const weighted = channel.slice()
    filterChannel(weighted, headShelf)
    filterChannel(weighted, bassCut)
    for (let index = 0; index < hops.length; index += 1) {
      let power = 0
      for (let frame = index * hop; frame < (index + 1) * hop; frame += 1)
        power += (weighted[frame] ?? 0) * (weighted[frame] ?? 0)
      hops[index] = (hops[index] ?? 0) + power / hop
    }
  }
  return hops
}

function toLoudness(power: number): number {
  return -0.691 + 10 * Math.log10(Math.max(power, 1e-12))
}

function average(powers: readonly number[]): number {
  return powers.reduce((sum, power) => sum + power, 0) / Math.max(1, powers.length)
}

/** Integrated loudness in LUFS with both gates of ITU-R BS.1770-4; -Infinity for silence. */
export function measureLoudness(signal: Stereo): number {
  const hops = measureHops(signal)
  const blocks = hops
    .slice(0, Math.max(0, hops.length - hopsPerBlock + 1))
    .map((_, index) => average(hops.slice(index, index + hopsPerBlock)))
  const audible = blocks.filter((power) => toLoudness(power) > absoluteGate)
  if (audible.length === 0) return -Infinity
  const gate = toLoudness(average(audible)) + relativeGate
  return toLoudness(average(audible.filter((power) => toLoudness(power) > gate)))
}
