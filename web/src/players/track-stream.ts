import { cutBlocks, type AudioBlock } from './audio-blocks.ts'
import { openTrackDecoder, type TrackDecoder } from './track-decoder.ts'

/** Streams an open track as audio blocks, with the first block decoded in advance at the expected start. */
export class TrackStream {
  readonly trackId: string
  readonly #sampleRate: number
  readonly #decoder: Promise<TrackDecoder>
  #primed: { fromFrame: number; blocks: PrimedBlocks } | null = null

  /** `sampleRate` is that of the context; all frames are counted at it. */
  constructor(trackId: string, url: string, sampleRate: number) {
    this.trackId = trackId
    this.#sampleRate = sampleRate
    this.#decoder = openTrackDecoder(url)
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

  dispose(): void {
    this.#release()
    this.#decoder.then((decoder) => decoder.dispose()).catch(() => undefined)
  }

  #release(): void {
    this.#primed?.blocks.release()
    this.#primed = null
  }

  async *#decode(fromFrame: number): AsyncGenerator<AudioBlock, void, undefined> {
    const decoder = await this.#decoder
    const sounds = decoder.decodeFrom((fromFrame / this.#sampleRate) * 1_000)
    yield* cutBlocks(sounds, fromFrame, this.#sampleRate)
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
