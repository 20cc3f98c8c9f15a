import { aacSampleRates } from '@earshot/core/audio/aac-rates'

const otherRate = 15
/** The channels by their configuration (table 1.19); 0 is described elsewhere. */
const channels = [0, 1, 2, 3, 4, 5, 6, 8]
/** Types of objects: spectral band replication doubles the rate, parametric stereo the channel besides. */
const sbr = 5
const ps = 29
/** Behind these words an encoder states either in a way that older decoders do not see (1.6.5). */
const sbrSync = 0x2b7
const psSync = 0x548

interface AacConfig {
  codec: string
  numberOfChannels?: number
  sampleRate?: number
}

/**
 * Reads the codec, and the format that its decoder outputs, off an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). The format is
 * left out where it is not stated there.
 */
export function readAacConfig(config: Uint8Array): AacConfig {
  const bits = new BitReader(config)
  const objectType = readObjectType(bits)
  let sampleRate = readSampleRate(bits)
  const configuration = bits.read(4)
  let isStereo = objectType === ps
  if (objectType === sbr || objectType === ps) sampleRate = readSampleRate(bits)
  else if (bits.find(11, sbrSync) && readObjectType(bits) === sbr && bits.read(1) === 1) {
    sampleRate = readSampleRate(bits)
    isStereo = bits.left >= 12 && bits.read(11) === psSync && bits.read(1) === 1
  }
  const stated = channels[configuration] ?? 0
  const numberOfChannels = stated === 1 && isStereo ? 2 : stated
  return {
    codec: `mp4a.40.${objectType}`,
    ...(numberOfChannels > 0 && { numberOfChannels }),
    ...(sampleRate > 0 && { sampleRate }),
  }
}

function readObjectType(bits: BitReader): number {
  const type = bits.read(5)
  return type === 31 ? 32 + bits.read(6) : type
}

/** Reads a rate, Hz; 0 for an index that is reserved. */
function readSampleRate(bits: BitReader): number {
  const index = bits.read(4)
  return index === otherRate ? bits.read(24) : (aacSampleRates[index] ?? 0)
}

/** Reads bits, the highest one of a byte first, and zeros behind the last one. */
class BitReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return 8 * this.#bytes.length - this.#at
  }

  read(count: number): number {
    let value = 0
    for (const end = this.#at + count; this.#at < end; this.#at += 1) {
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1)
    }
    return value
  }

  /** Goes on behind the next place where some bits are a value; returns whether there is one. */
  find(count: number, value: number): boolean {
    for (let from = this.#at; this.left >= count; from += 1, this.#at = from) {
      if (this.read(count) === value) return true
    }
    return false
  }
}
