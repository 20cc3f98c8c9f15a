import { FrameCount } from './frame-count.ts'
import { bytesAhead } from './read-pace.ts'
import { openRangeFile, type RangeFile } from './range-file.ts'
import { RefusedError } from './range-request.ts'
import { openServedStream } from './served-stream/served-stream.ts'
import type { SoundSource } from './sound-source.ts'
import { toSpeakers } from './speakers.ts'
import { UndecodableError } from './undecodable-error.ts'

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
   * other file that is served as it is. Of an MP4 file among these it reads the start of the sound.
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

/** Lossy codecs need some earlier packets before their output equals that of a full decode. */
const leastPreRollS = 0.2
/** Of MP3: a frame can begin eight frames of 576 samples earlier. */
const mp3PreRollFrames = 9 * 576
/** What is wanted at once of the sound from a position on: a track is ready with its first block. */
const neededS = 0.25
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
 * Throws UndecodableError, an Error if the server refuses the file or the code for it is not there, or the reason of `signal`
 * where that ends the opening.
 */
export async function openTrackDecoder(
  url: string,
  durationMs: number | null,
  onChanged: () => void,
  signal: AbortSignal,
): Promise<TrackDecoder> {
  const file = openRangeFile(url, { ...endsToFetch(durationMs), onChanged })
  const giveUp = () => file.close()
  signal.addEventListener('abort', giveUp)
  try {
    const source = (await openServedStream(file)) ?? (await openOther(file))
    return await createDecoder(source, file, durationMs)
  } catch (error) {
    file.close()
    signal.throwIfAborted()
    if (error instanceof RefusedError || error instanceof UnloadedError) throw error
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

/** The code for files that are served as they are is not there, as after an update: it says nothing of the file. */
class UnloadedError extends Error {}

/** Loads the code on demand: it is large, and few tracks need it. */
async function openOther(file: RangeFile): Promise<SoundSource> {
  const { openOtherFile } = await import('./other-file.ts').catch((error: unknown) => {
    throw new UnloadedError('The code that reads this file could not be loaded', { cause: error })
  })
  return await openOtherFile(file)
}

async function createDecoder(
  source: SoundSource,
  file: RangeFile,
  durationMs: number | null,
): Promise<TrackDecoder> {
  // Of an MP4 file that is served as it is, this reads the first packet, which a listener who joins does not need.
  const durationS = durationMs === null ? await source.statedDurationS() : durationMs / 1_000
  const preRollS = preRollOf(source)
  const bytesPerSecond = durationS ? (await file.size()) / durationS : unknownBytesPerSecond

  async function* decodeFrom(positionMs: number, use: DecodingUse) {
    file.leavePlace()
    const positionS = positionMs / 1_000
    let count: FrameCount | null = null
    try {
      for await (const sound of source.soundFrom(positionS - preRollS, positionS + neededS)) {
        const { statedFrame, sampleRate, channels } = sound
        const frames = channels[0]?.length ?? 0
        count ??= new FrameCount(sampleRate)
        const startFrame = count.add(statedFrame, frames)
        file.readAhead(bytesAhead(use.isPlaying, bytesPerSecond), { bytesPerSecond, ...use })
        const isNearEnd = durationS !== null && (startFrame + frames) / sampleRate > durationS - endNearS
        const endFrame = isNearEnd ? Math.round((await findEndS()) * sampleRate) : Infinity
        yield { startFrame, sampleRate, channels: cutAt(toSpeakers(channels), endFrame - startFrame) }
      }
    } finally {
      file.readAhead(0, { bytesPerSecond, ...use })
    }
  }

  /** Where the sound ends, s: encoders fill their last packets up. Infinity where the file does not tell. */
  async function findEndS(): Promise<number> {
    const countedS = await source.countedDurationS()
    const isTrusted = countedS !== null && Math.abs(countedS - (durationS ?? 0)) < endToleranceS
    return isTrusted ? countedS : Infinity
  }

  return {
    decodeFrom,
    measureDuration: async () =>
      1_000 * ((await source.statedDurationS()) ?? (await source.computeDurationS())),
    countedDuration: async () => {
      const countedS = await source.countedDurationS()
      return countedS === null ? null : 1_000 * countedS
    },
    dispose: () => source.dispose(),
  }
}

/** How much earlier than the wanted position decoding starts, s. */
function preRollOf({ codec, sampleRate }: SoundSource): number {
  return codec === 'mp3' ? Math.max(leastPreRollS, mp3PreRollFrames / sampleRate) : leastPreRollS
}

function cutAt(channels: Float32Array[], endFrame: number): Float32Array[] {
  const frames = Math.max(0, endFrame)
  return channels.map((channel) => (frames < channel.length ? channel.subarray(0, frames) : channel))
}
