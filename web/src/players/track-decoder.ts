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

/** An open audio file that can be decoded from any position. */
export interface TrackDecoder {
  /**
   * Decodes from shortly before a position, in order and without gaps, and prefetches what follows. Stop iterating to
   * stop decoding.
   */
  decodeFrom(positionMs: number): AsyncGenerator<DecodedAudio, void, undefined>
  /** Returns the track's duration in ms; reads the whole file if its header has none. */
  measureDuration(): Promise<number>
  dispose(): void
}

/** `startFrame` counts from the start of the track at `sampleRate`; one array a channel. */
export interface DecodedAudio {
  startFrame: number
  sampleRate: number
  channels: Float32Array[]
}

/** The file has no audio track that this browser can decode. */
export class UndecodableError extends Error {}

const formats = [OGG, MP3, MP4, QTFF, FLAC, WAVE, WEBM, MATROSKA, ADTS]
/** Lossy codecs need some earlier packets before their output equals that of a full decode. */
const preRollS = 0.2
const cacheBytes = 32 * 1024 * 1024
const retryFirstS = 0.25
const retryMaxS = 3

/**
 * Opens an audio file by range requests, with the session's cookie. Network failures are retried with back-off for as
 * long as the decoder lives. Throws UndecodableError, or an Error if the server refuses the file.
 */
export async function openTrackDecoder(url: string): Promise<TrackDecoder> {
  const input = openAudioFile(url)
  try {
    const track = await input.getPrimaryAudioTrack()
    if (!track || !(await track.canDecode())) throw new UndecodableError(`This browser cannot decode ${url}`)
    return await describeTrack(input, track)
  } catch (error) {
    input.dispose()
    throw error
  }
}

/** Opens an audio file without reading it yet. The caller disposes of it. */
export const openAudioFile = (url: string): Input => new Input({ source: createSource(url), formats })

function createSource(url: string): UrlSource {
  return new UrlSource(url, {
    requestInit: { credentials: 'include' },
    maxCacheSize: cacheBytes,
    fetchFn: fetchUnlessServerFails,
    getRetryDelay: (attempts) => Math.min(retryMaxS, retryFirstS * 2 ** (attempts - 1)),
    handleUnhandledError: () => undefined, // The next read throws the same error
  })
}

/** A restarting server or its proxy answers 5xx, which is retried like a missing answer. */
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
  const droppedFrames = countDroppedFrames(await track.getCodec(), await input.getFormat())

  async function* decodeFrom(positionMs: number) {
    const startS = positionMs / 1_000 - preRollS
    const start = (startS > 0 ? await packets.getKeyPacket(startS) : null) ?? first
    if (!start) return
    let nextFrame: number | null = null
    for await (const sample of sink.samples(start.timestamp)) {
      const { sampleRate, numberOfFrames, timestamp } = sample
      if (nextFrame === null) {
        const isFirst = start.timestamp === first?.timestamp
        const missing = isFirst ? 0 : droppedFrames(start.duration * sampleRate, numberOfFrames)
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

/** Returns how many frames a decoder dropped before its first output, from the first packet's and output's lengths. */
type DroppedFrames = (packetFrames: number, outputFrames: number) => number

/**
 * A decoder that starts in the middle of a track drops frames, but stamps its first output with the time of its first
 * packet. Opus (RFC 7845, 4.2) drops the pre-skip unless the container's times include it; Vorbis I (section 4.3.8)
 * outputs nothing for the first packet. Uncorrected, late joiners would be 6 or 21 ms ahead.
 */
function countDroppedFrames(codec: string | null, format: InputFormat): DroppedFrames {
  if (codec === 'vorbis') return (packetFrames) => packetFrames
  const countsPreSkip = format === MATROSKA || format === WEBM
  if (codec === 'opus' && !countsPreSkip) {
    return (packetFrames, outputFrames) => Math.max(0, packetFrames - outputFrames)
  }
  return () => 0
}

/** Reads encoded packets ahead of the decoder, so that they are cached when the server goes away. */
interface Prefetch {
  /** Keeps the next two minutes in memory. */
  keepAheadOf(positionS: number): void
  stop(): void
}

const prefetchAheadS = 120
/** One packet is read per second of audio: each makes the source fetch half a megabyte. */
const prefetchEveryS = 1
/** The prefetch advances in steps of this length instead of at every packet. */
const prefetchStepS = 10

function createPrefetch(packets: EncodedPacketSink): Prefetch {
  let latestRun = 0
  let askedForS = Number.NEGATIVE_INFINITY
  let reachedS = 0

  const readUntil = async (fromS: number, untilS: number, run: number) => {
    for (let atS = fromS; atS < untilS && run === latestRun; atS += prefetchEveryS) {
      const packet = await packets.getPacket(atS)
      if (packet && packet.timestamp < atS - prefetchEveryS) return // The end of the track
      reachedS = atS
    }
  }

  const keepAheadOf = (positionS: number) => {
    if (positionS >= askedForS && positionS < askedForS + prefetchStepS) return
    const isWithinReach = positionS >= askedForS && positionS <= reachedS
    askedForS = positionS
    latestRun++
    // The decoder meets the same failure when it gets there, and reports it.
    readUntil(isWithinReach ? reachedS : positionS, positionS + prefetchAheadS, latestRun).catch(
      () => undefined,
    )
  }

  return { keepAheadOf, stop: () => void latestRun++ }
}
