import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import { type AudioPackets, type FileWindow, UnindexableError } from '../seekable/audio-packets.ts'
import { readFlacPackets } from '../seekable/flac-packets.ts'
import { readMp3Packets } from '../seekable/mp3-packets.ts'
import { readOggPackets } from '../seekable/ogg-packets.ts'

/** Reads and decodes the packets of a format. */
export interface PacketFormat {
  read: (file: FileWindow) => AudioPackets
  /** How many packets after a gap are decoded for nothing: a decoder needs those before for what follows. */
  warmUpPackets: number
  open: (packets: AudioPackets) => Promise<PacketDecoder>
}

interface PacketDecoder {
  /** `isContinued`: the packets follow those before without a gap. */
  decode(packets: Uint8Array[], isContinued: boolean): Promise<DecodedAudio>
  free(): void
}

interface DecodedAudio {
  channelData: Float32Array[]
  sampleRate: number
}

/** Formats by extension. AAC and Vorbis have no waveform. */
export const packetFormats: ReadonlyMap<string, PacketFormat> = new Map([
  [
    '.mp3',
    {
      read: readMp3Packets,
      warmUpPackets: 2,
      open: async () => toDecoder(new MPEGDecoder({ enableGapless: false })),
    },
  ],
  ['.flac', { read: readFlacPackets, warmUpPackets: 0, open: openFlac }],
  ['.opus', { read: readOpusPackets, warmUpPackets: 2, open: openOpus }],
  ['.ogg', { read: readOpusPackets, warmUpPackets: 2, open: openOpus }],
])

const streamInfoBytes = 34

/** Frames may refer to the stream's header for their format, so the decoder reads that first. */
async function openFlac({ sampleEntry }: AudioPackets): Promise<PacketDecoder> {
  const decoder = new FLACDecoder()
  const marker = Buffer.from('fLaC\x80\x00\x00\x22', 'latin1')
  const head = Buffer.concat([marker, sampleEntry.subarray(-streamInfoBytes)])
  await decoder.ready
  return {
    async decode(packets, isContinued) {
      // It counts the frames, and takes a gap for damage.
      if (!isContinued) await decoder.reset()
      return decoder.decodeFrames(isContinued ? packets : [head, ...packets])
    },
    free: () => decoder.free(),
  }
}

/** Where the sample entry of Opus states the channels, and the mapping of more than two. */
const channelCountAt = 24

function readOpusPackets(file: FileWindow): AudioPackets {
  const packets = readOggPackets(file)
  if (packets.sampleEntry.toString('latin1', 4, 8) !== 'Opus') throw new UnindexableError('This is not Opus')
  if (packets.sampleEntry.readUInt16BE(channelCountAt) > 2)
    throw new UnindexableError('More than two channels')
  return packets
}

async function openOpus({ sampleEntry }: AudioPackets): Promise<PacketDecoder> {
  return toDecoder(new OpusDecoder({ channels: sampleEntry.readUInt16BE(channelCountAt) }))
}

interface WasmDecoder {
  ready: Promise<void>
  decodeFrames(packets: Uint8Array[]): DecodedAudio | Promise<DecodedAudio>
  free(): void | Promise<void>
}

async function toDecoder(decoder: WasmDecoder): Promise<PacketDecoder> {
  await decoder.ready
  return {
    decode: async (packets) => decoder.decodeFrames(packets),
    free: () => void decoder.free(),
  }
}
