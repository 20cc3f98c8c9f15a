import { openTrackDecoder, type TrackDecoder, type DecodedAudio, type DecodingUse } from './track-decoder.ts'
import { createResampler } from './resampler.ts'

/** Streams an open track as audio blocks, with the first block decoded in advance at the expected start. */
export class TrackStream {
  readonly trackId: string
  readonly #sampleRate: number
  readonly #decoder: Promise<TrackDecoder>
  #primed: { fromFrame: number; blocks: PrimedBlocks } | null = null

  /** `sampleRate` is that of the context; all frames are counted at it. `durationMs`: null if unknown. */
  constructor(source: { trackId: string; url: string; durationMs: number | null }, sampleRate: number) {
    this.trackId = source.trackId
    this.#sampleRate = sampleRate
    this.#decoder = openTrackDecoder(source.url, source.durationMs)
    this.#decoder.catch(() => undefined) // Reported by prime
  }

  /** Decodes the first block from a frame. Rejects if the file cannot be fetched or decoded. */
  async prime(fromFrame: number): Promise<void> {
    if (this.#primed?.fromFrame !== fromFrame) {
      this.#release()
      this.#primed = { fromFrame, blocks: primeBlocks(this.#decode(fromFrame)) }
    }
    await this.#primed.blocks.whenReady
  }

  /** Streams the track from a frame on. Consumes the primed block. */
  blocksFrom(fromFrame: number): AsyncIterable<AudioBlock> {
    const primed = this.#primed
    this.#primed = null
    if (primed?.fromFrame === fromFrame) return primed.blocks.read()
    primed?.blocks.release()
    return this.#decode(fromFrame)
  }

  /** Returns the track's duration in ms. Rejects if the file cannot be fetched or decoded. */
  async measureDuration(): Promise<number> {
    const decoder = await this.#decoder
    return decoder.measureDuration()
  }

  /** Returns the duration that the server counted in the track's file, in ms; null if it did not. Rejects like the above. */
  async countedDuration(): Promise<number | null> {
    const decoder = await this.#decoder
    return decoder.countedDuration()
  }

  dispose(): void {
    this.#release()
    this.#decoder.then((decoder) => decoder.dispose()).catch(() => undefined)
  }

  #release(): void {
    this.#primed?.blocks.release()
    this.#primed = null
  }

  /** Plays as soon as the second block is asked for: the first one may only be for a start. */
  async *#decode(fromFrame: number): AsyncGenerator<AudioBlock, void, undefined> {
    const use: DecodingUse = { isPlaying: false }
    const decoder = await this.#decoder
    const sounds = decoder.decodeFrom((fromFrame / this.#sampleRate) * 1_000, use)
    for await (const block of cutBlocks(sounds, fromFrame, this.#sampleRate)) {
      yield block
      use.isPlaying = true
    }
  }
}

interface PrimedBlocks {
  whenReady: Promise<void>
  read(): AsyncIterable<AudioBlock>
  release(): void
}

/** Starts a generator and buffers its first value. */
function primeBlocks(blocks: AsyncGenerator<AudioBlock, void, undefined>): PrimedBlocks {
  const first = blocks.next()
  const whenReady = first.then(() => undefined)
  whenReady.catch(() => undefined)
  const release = () => void blocks.return().catch(() => undefined)
  async function* read() {
    try {
      for (let result = await first; !result.done; result = await blocks.next()) yield result.value
    } finally {
      release()
    }
  }
  return { whenReady, read, release }
}

/** A piece of the track at the context's sample rate. Frames are counted from the start of the track. */
export interface AudioBlock {
  startFrame: number
  /** Its length. `samples` has one frame more, the first of the next block, for interpolation. */
  frames: number
  /** One array a channel. */
  samples: Float32Array<ArrayBuffer>[]
}

/** Short, so that playback starts at once and decoding is spread: a burst of decoding causes underruns. */
const blockS = 0.2
/** A larger jump in the decoder's frame count is a gap in the file, not rounding. */
const gapS = 0.01

/** Cuts decoded audio into gapless blocks that begin exactly at `fromFrame`, resampled to `toRate`. */
export async function* cutBlocks(
  sounds: AsyncIterable<DecodedAudio>,
  fromFrame: number,
  toRate: number,
): AsyncGenerator<AudioBlock, void, undefined> {
  let converter: Converter | null = null
  let pending: Float32Array<ArrayBuffer>[] = []
  let startFrame = fromFrame
  const wanted = Math.round(blockS * toRate)

  for await (const sound of sounds) {
    converter ??= createConverter(sound, fromFrame, toRate)
    pending = append(pending, converter.convert(sound))
    while ((pending[0]?.length ?? 0) > wanted) {
      yield { startFrame, frames: wanted, samples: pending.map((channel) => channel.slice(0, wanted + 1)) }
      pending = pending.map((channel) => channel.slice(wanted))
      startFrame += wanted
    }
  }
  if (converter) pending = append(pending, converter.flush())
  const frames = pending[0]?.length ?? 0
  if (frames > 0) yield { startFrame, frames, samples: pending }
}

interface Converter {
  convert(sound: DecodedAudio): Float32Array<ArrayBuffer>[]
  flush(): Float32Array<ArrayBuffer>[]
}

/** Resamples, and fills gaps in the file with silence. */
function createConverter(first: DecodedAudio, fromFrame: number, toRate: number): Converter {
  const fromRate = first.sampleRate
  const resampler = createResampler({
    fromRate,
    toRate,
    channels: first.channels.length,
    firstInputFrame: first.startFrame,
    firstOutputFrame: fromFrame,
  })
  let nextFrame = first.startFrame

  const convert = (sound: DecodedAudio) => {
    const gap = sound.startFrame - nextFrame
    const silence = new Float32Array(gap > gapS * fromRate ? gap : 0)
    nextFrame += silence.length + (sound.channels[0]?.length ?? 0)
    return resampler.push(
      silence.length > 0
        ? append(
            sound.channels.map(() => silence),
            sound.channels,
          )
        : sound.channels,
    )
  }
  return { convert, flush: () => resampler.flush() }
}

function append(heads: Float32Array[], tails: readonly Float32Array[]): Float32Array<ArrayBuffer>[] {
  return tails.map((tail, index) => {
    const head = heads[index]
    const joined = new Float32Array((head?.length ?? 0) + tail.length)
    if (head) joined.set(head)
    joined.set(tail, head?.length ?? 0)
    return joined
  })
}
