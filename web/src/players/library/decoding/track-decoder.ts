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
  type InputFormat,
  type InputAudioTrack,
  type AudioSample,
} from 'mediabunny'
import { FileSource } from './file-source.ts'
import { FrameCount } from './frame-count.ts'
import { placeOpusFrom } from './opus-frames.ts'
import { bytesAhead } from './read-pace.ts'
import { openRangeFile, type RangeFile } from './range-file.ts'
import { RefusedError } from './range-request.ts'
import { SampleSink } from './sample-sink.ts'
import { toSpeakers } from './speakers.ts'

/** An open audio file that can be decoded from any position. */
export interface TrackDecoder {
  /**
   * Decodes from shortly before a position, in order, and prefetches what follows: more of it as soon as `use` says that it
   * plays. Behind a gap in the file, the next sound begins later; where packets overlap, before the end of the last one.
   * Stop iterating to stop decoding.
   */
  decodeFrom(positionMs: number, use: DecodingUse): AsyncGenerator<DecodedAudio, void, undefined>
  /** Returns the track's duration in ms; reads the whole file if its header has none. */
  measureDuration(): Promise<number>
  /**
   * Returns the duration that the server counted when it made the stream, or that a WAV file has, in ms; null for any
   * other file that is served as it is. Reads the start of the sound.
   */
  countedDuration(): Promise<number | null>
  dispose(): void
}

/** The use of decoded audio. May change at any time. */
export interface DecodingUse {
  /** Otherwise it is only decoded for a start. */
  isPlaying: boolean
}

/** `startFrame` counts from the start of the track at `sampleRate`; one array a channel. */
export interface DecodedAudio {
  startFrame: number
  sampleRate: number
  channels: Float32Array[]
}

/** The file has no audio track that this browser can decode. */
export class UndecodableError extends Error {}

/** MP3 and ADTS are last: they are recognised by few bits, which the head of an MP4 file may contain as well. */
const formats = [MP4, QTFF, OGG, FLAC, WAVE, WEBM, MATROSKA, MP3, ADTS]
const matroska = new Set<InputFormat>([MATROSKA, WEBM])
/** Lossy codecs need some earlier packets before their output equals that of a full decode. */
const leastPreRollS = 0.2
/** Of MP3: a frame can begin eight frames of 576 samples earlier. */
const mp3PreRollFrames = 9 * 576
/** The head of a stream, and the last page of an Ogg file. */
const headBytes = 2 * 1024
const leastTailBytes = 1024
/** A stream has a table at its end, with an entry per ten seconds. The one behind its head is for audio elements. */
const tailBytesPerS = 1.1
const mostTailBytes = 64 * 1024
const unknownDurationMs = 7_200_000
/** The end of the sound is looked for this much before a track's end. */
const endNearS = 1
/** A file whose own duration differs more from the server's is not cut off by it. */
const endToleranceS = 0.05
/** For files that state no duration. */
const unknownBytesPerSecond = 32 * 1024

/**
 * Opens an audio file by range requests, with the session's cookie. Network failures are retried with back-off for as
 * long as the decoder lives. `durationMs`: null if unknown. `onChanged` is called when the server has another file there.
 * Throws UndecodableError, an Error if the server refuses the file, or the reason of `signal` where that ends the opening.
 */
export async function openTrackDecoder(
  url: string,
  durationMs: number | null,
  onChanged: () => void,
  signal: AbortSignal,
): Promise<TrackDecoder> {
  const file = openRangeFile(url, { ...endsToFetch(durationMs), onChanged })
  const input = openInput(file)
  const giveUp = () => file.close()
  signal.addEventListener('abort', giveUp)
  try {
    const track = await input.getPrimaryAudioTrack()
    if (!track || !(await track.canDecode())) throw new UndecodableError()
    return await describeTrack({ input, track, file, durationMs })
  } catch (error) {
    input.dispose()
    signal.throwIfAborted()
    if (error instanceof RefusedError) throw error
    throw new UndecodableError(`This browser cannot decode ${url}`, { cause: error })
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** Returns how much of a file's start and end to fetch at first. */
function endsToFetch(durationMs: number | null): { headBytes: number; tailBytes: number } {
  const seconds = (durationMs ?? unknownDurationMs) / 1_000
  return {
    headBytes,
    tailBytes: Math.min(mostTailBytes, Math.ceil(leastTailBytes + tailBytesPerS * seconds)),
  }
}

/** Opens an audio file without reading it yet. The caller disposes of it. */
export const openAudioFile = (url: string): Input => openInput(openRangeFile(url))

const openInput = (file: RangeFile): Input => new Input({ source: new FileSource(file), formats })

interface OpenedTrack {
  input: Input
  track: InputAudioTrack
  file: RangeFile
  /** As stated; null if unknown. */
  durationMs: number | null
}

async function describeTrack({ input, track, file, durationMs }: OpenedTrack): Promise<TrackDecoder> {
  const packets = new EncodedPacketSink(track)
  const sink = new SampleSink(track)
  const codec = await track.getCodec()
  // Of a stream this reads the head of its first fragment, which a listener who joins does not need.
  const durationS = durationMs === null ? await track.getDurationFromMetadata() : durationMs / 1_000
  const preRollS = await preRollOf(track, codec)
  const isMatroska = matroska.has(await input.getFormat())
  const bytesPerSecond = durationS ? (await file.size()) / durationS : unknownBytesPerSecond

  async function* decodeFrom(positionMs: number, use: DecodingUse) {
    file.leavePlace()
    const startS = positionMs / 1_000 - preRollS
    const found = startS > 0 ? await packets.getKeyPacket(startS) : null
    const start = found ?? (await packets.getFirstPacket())
    if (!start) return
    // By its time the first packet would not be found: in Vorbis, the second one has the same, but in Matroska.
    const from = found === null ? undefined : start.timestamp
    let count: FrameCount | null = null
    const placeOpus = codec === 'opus' ? placeOpusFrom(start.data, isMatroska) : null
    try {
      for await (const sample of sink.samples(from)) {
        const { sampleRate, numberOfFrames } = sample
        const packetFrame = Math.round(sink.statedS(sample) * sampleRate)
        count ??= new FrameCount(sampleRate)
        const startFrame = count.add(placeOpus?.(packetFrame, sample) ?? packetFrame, numberOfFrames)
        file.readAhead(bytesAhead(use.isPlaying, bytesPerSecond), { bytesPerSecond, ...use })
        const channels = takeChannels(sample)
        const isNearEnd =
          durationS !== null && (startFrame + numberOfFrames) / sampleRate > durationS - endNearS
        const endFrame = isNearEnd ? Math.round((await findEndS()) * sampleRate) : Infinity
        yield { startFrame, sampleRate, channels: cutAt(channels, Math.max(0, endFrame - startFrame)) }
      }
    } finally {
      file.readAhead(0, { bytesPerSecond, ...use })
    }
  }

  /** Where the sound ends, s: encoders fill their last packets up. Infinity where the file does not tell. */
  async function findEndS(): Promise<number> {
    const statedS = (await input.getFormat()) === MP4 ? await track.getDurationFromMetadata() : null
    const isTrusted = statedS !== null && Math.abs(statedS - (durationS ?? 0)) < endToleranceS
    return isTrusted ? statedS : Infinity
  }

  const measureDuration = async () =>
    1_000 * ((await track.getDurationFromMetadata()) ?? (await track.computeDuration()))
  const countedDuration = async () => {
    const format = await input.getFormat()
    // Of a WAV file, mediabunny counts what is there.
    if (format !== MP4 && format !== WAVE) return null
    const countedS = await track.getDurationFromMetadata()
    return countedS === null ? null : 1_000 * countedS
  }
  return { decodeFrom, measureDuration, countedDuration, dispose: () => input.dispose() }
}

async function preRollOf(track: InputAudioTrack, codec: string | null): Promise<number> {
  if (codec !== 'mp3') return leastPreRollS
  return Math.max(leastPreRollS, mp3PreRollFrames / (await track.getSampleRate()))
}

const cutAt = (channels: Float32Array[], frames: number): Float32Array[] =>
  channels.map((channel) => (frames < channel.length ? channel.subarray(0, frames) : channel))

function takeChannels(sample: AudioSample): Float32Array[] {
  const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const channel = new Float32Array(sample.numberOfFrames)
    sample.copyTo(channel, { planeIndex, format: 'f32-planar' })
    return channel
  })
  sample.close()
  return toSpeakers(channels)
}
