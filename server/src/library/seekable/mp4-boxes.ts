/** Writers of ISO base media file format boxes (ISO/IEC 14496-12; the section is beside each). */

/** Returns a box: its length, its type of four characters, and its contents (4.2). */
export function box(type: string, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([u32(length), Buffer.from(type, 'latin1'), ...parts], length)
}

/** Returns a box with a version and 24 bits of flags (4.2). */
export function fullBox(type: string, version: number, flags: number, ...parts: Uint8Array[]): Buffer {
  return box(type, u32(version * 2 ** 24 + flags), ...parts)
}

export const u8 = (...values: number[]): Buffer => Buffer.from(values)

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index)
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

export const u64 = (value: number): Buffer => u32(Math.floor(value / 2 ** 32), value % 2 ** 32)

const maxRate = 0xffff

interface AudioFormat {
  channels: number
  bitsPerSample: number
  /** In Hz. Written as 0 from 65,536 on; the codec's own box has it then. */
  sampleRate: number
}

/** An audio sample entry (12.2.3) with the codec's own boxes. */
export function audioSampleEntry(type: string, format: AudioFormat, ...boxes: Buffer[]): Buffer {
  const { channels, bitsPerSample, sampleRate } = format
  const rate = sampleRate > maxRate ? 0 : sampleRate
  const dataReference = u16(0, 0, 0, 1)
  return box(
    type,
    dataReference,
    u32(0, 0),
    u16(channels, bitsPerSample, 0, 0),
    u32(rate * 2 ** 16),
    ...boxes,
  )
}

/** An elementary stream descriptor (ISO/IEC 14496-14, 6.7.2) of an object type, with the decoder's configuration. */
export function elementaryStream(objectType: number, configuration: Uint8Array): Buffer {
  const specific = configuration.length > 0 ? descriptor(0x05, configuration) : Buffer.alloc(0)
  const audioStream = 0x15
  const noBufferNorRates = Buffer.alloc(11)
  const decoder = descriptor(0x04, u8(objectType, audioStream), noBufferNorRates, specific)
  return fullBox('esds', 0, 0, descriptor(0x03, u16(1), u8(0), decoder, descriptor(0x06, u8(2))))
}

/** Its length takes four bytes, as most writers do it: Vorbis headers are long. */
function descriptor(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const lengthBytes = [21, 14, 7].map((shift) => ((content.length >> shift) & 0x7f) | 0x80)
  return Buffer.concat([u8(tag, ...lengthBytes, content.length & 0x7f), content])
}
