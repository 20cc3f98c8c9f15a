/** Writes FLAC (RFC 9639) without compression: two channels of noise, at ten bits of it to keep files small. */

const samplesPerFrame = 4_096
const noiseBits = 10

export function flacHead(parts: {
  sampleRate: number
  bits: 16 | 24
  frames: number
  /** As 'ARTIST=Ann'. */
  comments?: string[]
}): Buffer {
  const { sampleRate, bits, frames, comments = [] } = parts
  const info = Buffer.alloc(34)
  info.writeUInt16BE(samplesPerFrame, 0)
  info.writeUInt16BE(samplesPerFrame, 2)
  const total = frames * samplesPerFrame
  info.writeUInt32BE(
    ((sampleRate << 12) | (1 << 9) | ((bits - 1) << 4) | Math.floor(total / 2 ** 32)) >>> 0,
    10,
  )
  info.writeUInt32BE(total % 2 ** 32, 14)
  const texts = [Buffer.from('test'), ...comments.map((comment) => Buffer.from(comment))]
  const [vendor = [], ...rest] = texts.map((text) => [uint32LE(text.length), text])
  const content = Buffer.concat([...vendor, uint32LE(comments.length), ...rest.flat()])
  const commentBlock = comments.length === 0 ? [] : [Buffer.from([0x84, 0, 0, content.length]), content]
  const infoType = comments.length === 0 ? 0x80 : 0
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([infoType, 0, 0, 34]), info, ...commentBlock])
}

function uint32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** One frame: its header, two verbatim subframes of different noise with wasted bits, and its checksum. */
export function flacFrame(number: number, bits: 16 | 24): Buffer {
  const sizeCode = 12 // 256 << 4
  const head = [0xff, 0xf8, sizeCode << 4, (1 << 4) | ({ 16: 4, 24: 6 }[bits] << 1), ...utf8(number)]
  const header = Buffer.from([...head, crc8(head)])
  const frame = Buffer.concat([header, bodyOf(number % bodies, bits), Buffer.alloc(2)])
  frame.writeUInt16BE(crc16(frame.subarray(0, -2)), frame.length - 2)
  return frame
}

const bodies = 7
const madeBodies = new Map<string, Buffer>()

function bodyOf(index: number, bits: 16 | 24): Buffer {
  const key = `${index} ${bits}`
  const made = madeBodies.get(key) ?? makeBody(index, bits)
  madeBodies.set(key, made)
  return made
}

function makeBody(index: number, bits: number): Buffer {
  const writer = new BitWriter()
  const wasted = bits - noiseBits
  let state = index + 1
  for (let channel = 0; channel < 2; channel += 1) {
    writer.write(0b0_000001_1, 8) // Verbatim, with wasted bits
    writer.write(1, wasted) // Their number in unary
    for (let sample = 0; sample < samplesPerFrame; sample += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      writer.write(state >>> (32 - noiseBits), noiseBits)
    }
  }
  return writer.toBytes()
}

class BitWriter {
  readonly #bytes: number[] = []
  #bits = 0
  #count = 0

  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.#bits = (this.#bits << 1) | ((value >>> bit) & 1)
      this.#count += 1
      if (this.#count < 8) continue
      this.#bytes.push(this.#bits)
      this.#bits = this.#count = 0
    }
  }

  toBytes(): Buffer {
    if (this.#count > 0) this.write(0, 8 - this.#count)
    return Buffer.from(this.#bytes)
  }
}

/** A frame's number as UTF-8 codes a character. */
function utf8(number: number): number[] {
  if (number < 0x80) return [number]
  const rest: number[] = []
  let high = number
  let lead = 0x3f
  while (high > lead) {
    rest.unshift(0x80 | (high & 0x3f))
    high >>>= 6
    lead >>>= 1
  }
  return [(0xff ^ (2 * lead + 1)) | high, ...rest]
}

function crc8(bytes: number[]): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff
  }
  return crc
}

const crc16Table = Uint16Array.from({ length: 256 }, (_, value) => {
  let crc = value << 8
  for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0)) & 0xffff
  return crc
})

function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (crc16Table[(crc >> 8) ^ byte] ?? 0)
  return crc
}
