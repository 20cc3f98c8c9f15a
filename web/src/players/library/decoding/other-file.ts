import {
  ADTS,
  EncodedPacketSink,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
  type AudioSample,
  type InputAudioTrack,
  type InputFormat,
} from 'mediabunny'
import { FileSource } from './file-source.ts'
import { placeOpusFrom } from './opus-frames.ts'
import { openRangeFile, type RangeFile } from './range-file.ts'
import { SampleSink } from './sample-sink.ts'
import type { PacketSound, SoundSource } from './sound-source.ts'
import { UndecodableError } from './undecodable-error.ts'

/** MP3 and ADTS are last: they are recognised by few bits, which the head of an MP4 file may contain as well. */
const formats = [MP4, QTFF, OGG, FLAC, WAVE, WEBM, MATROSKA, MP3, ADTS]
const matroska = new Set<InputFormat>([MATROSKA, WEBM])
/** Of a WAV file, mediabunny counts what is there. */
const counted = new Set<InputFormat>([MP4, WAVE])

/** Opens an audio file without reading it yet. The caller disposes of it. */
export const openAudioFile = (url: string): Input => openInput(openRangeFile(url))

const openInput = (file: RangeFile): Input => new Input({ source: new FileSource(file), formats })

/** Opens a file that is served as it is, by mediabunny. Rejects where this browser cannot decode it. */
export async function openOtherFile(file: RangeFile): Promise<SoundSource> {
  const input = openInput(file)
  const track = await input.getPrimaryAudioTrack()
  if (!track || !(await track.canDecode())) throw new UndecodableError()
  const [format, codec] = [await input.getFormat(), await track.getCodec()]
  const statedDurationS = () => track.getDurationFromMetadata()
  return {
    codec,
    sampleRate: await track.getSampleRate(),
    soundFrom: (startS) => readSound(track, { startS, codec, isMatroska: matroska.has(format) }),
    statedDurationS,
    countedDurationS: async () => (counted.has(format) ? await statedDurationS() : null),
    computeDurationS: () => track.computeDuration(),
    dispose: () => input.dispose(),
  }
}

interface Reading {
  startS: number
  codec: string | null
  isMatroska: boolean
}

async function* readSound(
  track: InputAudioTrack,
  { startS, codec, isMatroska }: Reading,
): AsyncGenerator<PacketSound, void, undefined> {
  const packets = new EncodedPacketSink(track)
  const sink = new SampleSink(track)
  const found = startS > 0 ? await packets.getKeyPacket(startS) : null
  const start = found ?? (await packets.getFirstPacket())
  if (!start) return
  // By its time the first packet would not be found: in Vorbis, the second one has the same, but in Matroska.
  const from = found === null ? undefined : start.timestamp
  const placeOpus = codec === 'opus' ? placeOpusFrom(start.data, isMatroska) : null
  for await (const sample of sink.samples(from)) {
    const { sampleRate } = sample
    const packetFrame = Math.round(sink.statedS(sample) * sampleRate)
    const statedFrame = placeOpus?.(packetFrame, sample) ?? packetFrame
    yield { statedFrame, sampleRate, channels: takeChannels(sample) }
  }
}

function takeChannels(sample: AudioSample): Float32Array[] {
  const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const channel = new Float32Array(sample.numberOfFrames)
    sample.copyTo(channel, { planeIndex, format: 'f32-planar' })
    return channel
  })
  sample.close()
  return channels
}
