/** The lengths of a Vorbis stream's blocks in samples, and which of them each mode has. */
export interface VorbisBlocks {
  short: number
  long: number
  isLong: boolean[]
}

const modeBits = 41
const maxModes = 64

/**
 * Reads the lengths of the blocks off the headers (Vorbis I, 4.2.2 and 4.2.4). The modes are at the end of the setup
 * header, behind tables of unknown length: they are found from the end, as FFmpeg does. Null where they are not found.
 */
export function parseVorbisBlocks(identification: Uint8Array, setup: Uint8Array): VorbisBlocks | null {
  const lengths = identification[28] ?? 0
  const bitAt = (index: number): number => ((setup[index >> 3] ?? 0) >> (index & 7)) & 1
  const read = (from: number, bits: number): number => {
    let value = 0
    for (let bit = bits - 1; bit >= 0; bit -= 1) value = value * 2 + bitAt(from + bit)
    return value
  }
  let end = setup.length * 8 - 1
  while (end > 0 && bitAt(end) === 0) end -= 1 // The framing bit is the last one set

  // A mode is its flag, 16 + 16 bits of zero and a mapping; before the modes stands their number less one.
  let count = 0
  for (let modes = 1; modes <= maxModes; modes += 1) {
    const at = end - modes * modeBits
    if (at < 6 || read(at + 1, 32) !== 0 || read(at + 33, 8) > 63) break
    if (read(at - 6, 6) + 1 === modes) count = modes
  }
  if (count === 0) return null
  const first = end - count * modeBits
  return {
    short: 1 << (lengths & 15),
    long: 1 << (lengths >> 4),
    isLong: Array.from({ length: count }, (_, mode) => bitAt(first + mode * modeBits) === 1),
  }
}

/** Returns a function that gives the duration of each packet, in order: the first one only primes the decoder (4.3.8). */
export function vorbisDurations({ short, long, isLong }: VorbisBlocks): (head: Uint8Array) => number {
  const numberBits = 32 - Math.clz32(isLong.length - 1)
  let previous: number | null = null
  return ([first = 0]) => {
    const mode = (first >> 1) & ((1 << numberBits) - 1)
    const block = isLong[mode] === true ? long : short
    const duration = previous === null ? 0 : (previous + block) / 4
    previous = block
    return duration
  }
}
