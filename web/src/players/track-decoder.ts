import {
  ADTS,
  AudioSampleSink,
  EncodedPacketSink,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  UrlSource,
  WAVE,
  WEBM,
  type InputFormat,
  type InputAudioTrack,
  type AudioSample,
} from 'mediabunny'
import { createPrefetch } from './prefetch.ts'

/** An opened sound file that can be decoded from anywhere. */
export interface TrackDecoder {
  /**
   * Decoded sound from shortly before a position on, in order and without gaps, while what follows is fetched ahead
   * of it. Stop iterating to stop decoding.
   */
  decodeFrom(positionMs: number): AsyncGenerator<DecodedSound, void, undefined>
  /** How long the track is, in ms; looks through the whole file where that is not written at its start. */
  measureDuration(): Promise<number>
  dispose(): void
}

/** `startFrame` counts from the start of the track at `sampleRate`; one array a channel. */
export interface DecodedSound {
  startFrame: number
  sampleRate: number
  channels: Float32Array[]
}

/** The file has no sound in it, or none that this browser decodes. */
export class UndecodableError extends Error {}

const formats = [OGG, MP3, MP4, QTFF, FLAC, WAVE, WEBM, MATROSKA, ADTS]
/** Lossy codecs need some packets before the one wanted until their output is the same as in a full decode. */
const preRollS = 0.2
const cacheBytes = 32 * 1024 * 1024
const retryFirstS = 0.25
const retryMaxS = 3

/**
 * Opens a sound file by range requests, with the session's cookie. Network failures are retried with growing delays
 * for as long as the decoder lives. Throws UndecodableError, or an Error where the server refuses the file.
 */
export async function openTrackDecoder(url: string): Promise<TrackDecoder> {
  const input = openSoundFile(url)
  try {
    const track = await input.getPrimaryAudioTrack()
    if (!track || !(await track.canDecode())) throw new UndecodableError(`This browser cannot decode ${url}`)
    return await describeTrack(input, track)
  } catch (error) {
    input.dispose()
    throw error
  }
}

/** A sound file of which nothing is read yet. To be disposed of. */
export const openSoundFile = (url: string): Input => new Input({ source: createSource(url), formats })

function createSource(url: string): UrlSource {
  return new UrlSource(url, {
    requestInit: { credentials: 'include' },
    maxCacheSize: cacheBytes,
    fetchFn: fetchUnlessServerFails,
    getRetryDelay: (attempts) => Math.min(retryMaxS, retryFirstS * 2 ** (attempts - 1)),
    handleUnhandledError: () => undefined, // The next read meets the same error and tells it
  })
}

/** A restarting server, or the proxy before it, answers 5xx: as good as no answer, so it is retried. */
const fetchUnlessServerFails: typeof fetch = async (resource, init) => {
  const response = await fetch(resource, init)
  if (response.status >= 500 || response.status === 429) throw new Error(`Status ${response.status}`)
  return response
}

async function describeTrack(input: Input, track: InputAudioTrack): Promise<TrackDecoder> {
  const packets = new EncodedPacketSink(track)
  const sink = new AudioSampleSink(track)
  const prefetch = createPrefetch(packets)
  const first = await packets.getFirstPacket()
  const swallows = createSwallowRule(await track.getCodec(), await input.getFormat())

  async function* decodeFrom(positionMs: number) {
    const startS = positionMs / 1_000 - preRollS
    const start = (startS > 0 ? await packets.getKeyPacket(startS) : null) ?? first
    if (!start) return
    let nextFrame: number | null = null
    for await (const sample of sink.samples(start.timestamp)) {
      const { sampleRate, numberOfFrames, timestamp } = sample
      if (nextFrame === null) {
        const isFirst = start.timestamp === first?.timestamp
        const missing = isFirst ? 0 : swallows(start.duration * sampleRate, numberOfFrames)
        nextFrame = Math.round(timestamp * sampleRate + missing)
      }
      prefetch.keepAheadOf(nextFrame / sampleRate)
      yield { startFrame: nextFrame, sampleRate, channels: takeChannels(sample) }
      nextFrame += numberOfFrames
    }
  }

  const measureDuration = async () =>
    1_000 * ((await track.getDurationFromMetadata()) ?? (await track.computeDuration()))
  const dispose = () => {
    prefetch.stop()
    input.dispose()
  }
  return { decodeFrom, measureDuration, dispose }
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

/** Frames of a decoder's first packet, and of its first output, to how many it dropped before that output. */
type SwallowRule = (packetFrames: number, outputFrames: number) => number

/**
 * A decoder that starts in the middle of a track swallows what only makes sense at its start, and its first output
 * carries the time of its first packet all the same. Opus (RFC 7845, 4.2) drops the pre-skip, unless the container's
 * times count it already; Vorbis I (section 4.3.8) gives nothing for the first packet. Uncorrected, those who join
 * late would be 6 or 21 ms ahead of the others.
 */
function createSwallowRule(codec: string | null, format: InputFormat): SwallowRule {
  if (codec === 'vorbis') return (packetFrames) => packetFrames
  const countsPreSkip = format === MATROSKA || format === WEBM
  if (codec === 'opus' && !countsPreSkip) {
    return (packetFrames, outputFrames) => Math.max(0, packetFrames - outputFrames)
  }
  return () => 0
}
