import { readAacConfig } from './aac-config.ts'
import { bytesOf, partOf, readType, requireBox } from './box-reader.ts'

/** What is before the boxes of an audio sample entry (ISO/IEC 14496-12, 12.2.3), without the head of its box. */
const entryFieldsBytes = 28
const opusRate = 48_000

type SoundFormat = Pick<AudioDecoderConfig, 'numberOfChannels' | 'sampleRate'>

/**
 * Reads the configuration of the decoder off the first entry of a sample description (ISO/IEC 14496-12, 8.5.2). Returns null
 * for a codec or a description that the server does not write itself, but may have taken over from an MP4 file.
 */
export function readCodecConfig(stsd: DataView, timescale: number): AudioDecoderConfig | null {
  const entry = requireBox(partOf(stsd, 8), readType(stsd, 12))
  const boxes = partOf(entry, entryFieldsBytes)
  const format = {
    numberOfChannels: entry.getUint16(16),
    // Of 16 bits: for a higher rate it is 0, and the timescale has it.
    sampleRate: entry.getUint16(24) || timescale,
  }
  switch (readType(stsd, 12)) {
    case 'mp4a':
      return readElementaryStream(requireBox(boxes, 'esds'), format)
    case 'Opus':
      return readOpus(requireBox(boxes, 'dOps'))
    case 'fLaC':
      return readFlac(requireBox(boxes, 'dfLa'))
    default:
      return null
  }
}

/** Reads an elementary stream descriptor (ISO/IEC 14496-1, 7.2.6.5 and 7.2.6.6), whose type of object names the codec. */
function readElementaryStream(esds: DataView, format: SoundFormat): AudioDecoderConfig | null {
  const stream = readDescriptor(esds, 4, 0x03)
  const hasOptionalFields = stream === null || stream.getUint8(2) >= 0x20
  const decoder = hasOptionalFields ? null : readDescriptor(stream, 3, 0x04)
  if (!decoder) return null
  const specific = decoder.byteLength > 13 ? readDescriptor(decoder, 13, 0x05) : null
  const description = specific ? bytesOf(specific) : undefined
  switch (decoder.getUint8(0)) {
    case 0x40:
      return specific ? { ...format, ...readAacConfig(bytesOf(specific)), description } : null
    case 0x69:
    case 0x6b:
      return { ...format, codec: 'mp3' }
    // Not registered; as other writers do it.
    case 0xdd:
      return specific ? { ...format, codec: 'vorbis', description } : null
    default:
      return null
  }
}

/** Returns the content of the descriptor at a place (ISO/IEC 14496-1, 8.3.3); null where it is one of another kind. */
function readDescriptor(view: DataView, start: number, tag: number): DataView | null {
  if (view.getUint8(start) !== tag) return null
  let [at, length] = [start, 0]
  do length = length * 128 + (view.getUint8((at += 1)) & 0x7f)
  while (view.getUint8(at) >= 0x80)
  return partOf(view, at + 1, at + 1 + length)
}

/**
 * Makes the header of Ogg Opus (RFC 7845, 5.1), which decoders take, from the box with the same fields in the other byte
 * order. Its pre-skip is 0: the decoder is to drop nothing, as it would of the first packet that it gets, wherever in the
 * track that is. What sounds before the track is cut off like that of other codecs.
 */
function readOpus(dOps: DataView): AudioDecoderConfig {
  const description = new Uint8Array(8 + dOps.byteLength)
  description.set(new TextEncoder().encode('OpusHead'))
  description.set(bytesOf(dOps), 8)
  const view = new DataView(description.buffer)
  view.setUint8(8, 1)
  view.setUint16(10, 0)
  view.setUint32(12, dOps.getUint32(4), true)
  view.setInt16(16, dOps.getInt16(8), true)
  return { codec: 'opus', numberOfChannels: dOps.getUint8(1), sampleRate: opusRate, description }
}

/** Reads the stream's format off its first metadata block (RFC 9639, 8.2). */
function readFlac(dfLa: DataView): AudioDecoderConfig {
  const blocks = partOf(dfLa, 4)
  const format = blocks.getUint32(14)
  const description = new Uint8Array(4 + blocks.byteLength)
  description.set(new TextEncoder().encode('fLaC'))
  description.set(bytesOf(blocks), 4)
  return {
    codec: 'flac',
    numberOfChannels: ((format >>> 9) & 7) + 1,
    sampleRate: format >>> 12,
    description,
  }
}
