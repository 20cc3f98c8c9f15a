import { opusPacketMs } from '@earshot/core/audio/opus-packets'
import { type AudioPackets, UnindexableError } from './audio-packets.ts'
import { audioSampleEntry, box, elementaryStream, u16, u32, u8 } from './mp4-boxes.ts'
import { type VorbisBlocks, parseVorbisBlocks, vorbisDurations } from './vorbis-blocks.ts'

/** A stream by its headers, and the duration of each packet, in order, by its first bytes. */
export interface XiphAudio extends Omit<AudioPackets, 'packets'> {
  durationOf: (head: Buffer) => number
}

const opusRate = 48_000

/**
 * Describes Opus by its identification header (RFC 7845, 5.1, and the encapsulation of Opus in ISO files, 4.3.2: the same
 * fields, in the other byte order).
 */
export function describeOpusHead(head: Buffer): XiphAudio {
  const channels = head[9] ?? 2
  const preSkip = head.readUInt16LE(10)
  const dOps = box(
    'dOps',
    u8(0, channels),
    u16(preSkip),
    u32(head.readUInt32LE(12)),
    u16(head.readUInt16LE(16)),
    head.subarray(18),
  )
  return {
    sampleEntry: audioSampleEntry('Opus', { channels, bitsPerSample: 16, sampleRate: opusRate }, dOps),
    timescale: opusRate,
    encoderDelay: preSkip,
    durationOf: (packet) => (opusPacketMs(packet) * opusRate) / 1_000,
  }
}

/** Describes Vorbis by its identification and setup headers. */
export function describeVorbisHeads(head: Buffer, setup: Buffer): XiphAudio {
  const blocks: VorbisBlocks | null = parseVorbisBlocks(head, setup)
  if (!blocks) throw new UnindexableError('The Vorbis headers cannot be read')
  const format = { channels: head[11] ?? 2, bitsPerSample: 16, sampleRate: head.readUInt32LE(12) }
  // Players need no comments: these are empty, without a maker and without entries.
  const noComments = Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), Buffer.alloc(8), u8(1)])
  const laced = Buffer.concat([u8(2, head.length, noComments.length), head, noComments, setup])
  return {
    sampleEntry: audioSampleEntry('mp4a', format, elementaryStream(0xdd, laced)),
    timescale: format.sampleRate,
    encoderDelay: 0,
    durationOf: vorbisDurations(blocks),
  }
}
