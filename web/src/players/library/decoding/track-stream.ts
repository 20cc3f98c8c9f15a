import { openTrackDecoder, type DecodingUse } from './track-decoder.ts'
import { type AudioBlock, cutBlocks } from './audio-blocks.ts'
import { type TrackOpener, TrackVersions, type Version } from './track-versions.ts'

/** Primed blocks are used where they begin at most this much before the start: decoding anew takes longer than to skip it, s. */
const mostEarlyS = 0.5

/** Of a track that the library plays. `durationMs`: null if unknown. */
interface StreamSource {
  trackId: string
  url: string
  durationMs: number | null
}

/**
 * Streams an open track as audio blocks, with the first block decoded in advance at the expected start. Where its file is
 * tagged anew or replaced on the server, the stream goes on in the new one.
 */
export class TrackStream {
  readonly trackId: string
  readonly #sampleRate: number
  readonly #versions: TrackVersions
  #primed: { fromFrame: number; blocks: PrimedBlocks } | null = null

  /** `sampleRate` is that of the context; all frames are counted at it. */
  constructor({ trackId, url, durationMs }: StreamSource, sampleRate: number, onReplaced: () => void) {
    this.trackId = trackId
    this.#sampleRate = sampleRate
    const open: TrackOpener = (onChanged, signal) => openTrackDecoder(url, durationMs, onChanged, signal)
    this.#versions = new TrackVersions(open, sampleRate, onReplaced)
  }

  /** Decodes the first block from a frame. Rejects if the file cannot be fetched or decoded. */
  async prime(fromFrame: number): Promise<void> {
    if (this.#primed?.fromFrame !== fromFrame) {
      this.#release()
      this.#primed = { fromFrame, blocks: primeBlocks(this.#decode(fromFrame)) }
    }
    await this.#primed.blocks.whenReady
  }

  /** Streams the track from a frame on. Consumes the primed blocks, which may begin earlier: a start that is late needs them. */
  blocksFrom(fromFrame: number): AsyncIterable<AudioBlock> {
    const primed = this.#primed
    this.#primed = null
    if (primed && servesStart(primed.fromFrame, fromFrame, this.#sampleRate)) return primed.blocks.read()
    primed?.blocks.release()
    return this.#decode(fromFrame)
  }

  /** Returns the track's duration in ms. Rejects if the file cannot be fetched or decoded. */
  async measureDuration(): Promise<number> {
    const decoder = await this.#versions.current().decoder
    return decoder.measureDuration()
  }

  /** Returns the duration that the server counted in the track's file, in ms; null if it did not. Rejects like the above. */
  async countedDuration(): Promise<number | null> {
    const decoder = await this.#versions.current().decoder
    return decoder.countedDuration()
  }

  dispose(): void {
    this.#release()
    this.#versions.dispose()
  }

  #release(): void {
    this.#primed?.blocks.release()
    this.#primed = null
  }

  async *#decode(fromFrame: number): AsyncGenerator<AudioBlock, void, undefined> {
    const use: DecodingUse = { isPlaying: false }
    let nextFrame = fromFrame
    let version = this.#versions.current()
    for (;;) {
      const firstFrame = nextFrame
      let failure: unknown = null
      let isOutdated = false
      try {
        for await (const block of this.#decodeVersion(version, nextFrame, use)) {
          isOutdated = this.#versions.hasOtherSound(version, block)
          if (isOutdated) break
          yield block
          // The first block may only be for a start.
          use.isPlaying = true
          nextFrame = block.startFrame + block.frames
        }
        if (!isOutdated) return
      } catch (error) {
        failure = error
      }
      version = await this.#versions.after(version, failure, nextFrame > firstFrame)
    }
  }

  async *#decodeVersion(
    { decoder }: Version,
    fromFrame: number,
    use: DecodingUse,
  ): AsyncGenerator<AudioBlock, void, undefined> {
    const opened = await decoder
    yield* cutBlocks(
      opened.decodeFrom((fromFrame / this.#sampleRate) * 1_000, use),
      fromFrame,
      this.#sampleRate,
    )
  }
}

/** Whether blocks primed from a frame serve a start at another one: there, or little later. */
export function servesStart(primedFrame: number, startFrame: number, sampleRate: number): boolean {
  const earlyFrames = startFrame - primedFrame
  return earlyFrames >= 0 && earlyFrames <= mostEarlyS * sampleRate
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
