import { cutBlocks, type SoundBlock } from './audio-blocks.ts'
import { openTrackDecoder, type TrackDecoder } from './track-decoder.ts'

/** A track that is opened, with its first block decoded at the place where it will probably be started. */
export class Deck {
  readonly trackId: string
  readonly #sampleRate: number
  readonly #decoder: Promise<TrackDecoder>
  #primed: { fromFrame: number; blocks: PrimedBlocks } | null = null

  /** `sampleRate` is that of the context; all frames are counted at it. */
  constructor(trackId: string, url: string, sampleRate: number) {
    this.trackId = trackId
    this.#sampleRate = sampleRate
    this.#decoder = openTrackDecoder(url)
    this.#decoder.catch(() => undefined) // Told by prime
  }

  /** Resolves when sound from this frame is at hand; rejects where the file cannot be fetched or decoded. */
  async prime(fromFrame: number): Promise<void> {
    if (this.#primed?.fromFrame !== fromFrame) {
      this.#release()
      this.#primed = { fromFrame, blocks: primeBlocks(this.#decode(fromFrame)) }
    }
    await this.#primed.blocks.whenReady
  }

  /** The track from a frame on; what was primed is used up by it. */
  blocksFrom(fromFrame: number): AsyncIterable<SoundBlock> {
    const primed = this.#primed
    this.#primed = null
    if (primed?.fromFrame === fromFrame) return primed.blocks.read()
    primed?.blocks.release()
    return this.#decode(fromFrame)
  }

  /** How long the track is, in ms; rejects where the file cannot be fetched or decoded. */
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

  async *#decode(fromFrame: number): AsyncGenerator<SoundBlock, void, undefined> {
    const decoder = await this.#decoder
    const sounds = decoder.decodeFrom((fromFrame / this.#sampleRate) * 1_000)
    yield* cutBlocks(sounds, fromFrame, this.#sampleRate)
  }
}

interface PrimedBlocks {
  whenReady: Promise<void>
  read(): AsyncIterable<SoundBlock>
  release(): void
}

/** Starts a generator, and hands out its first value as if it had not been taken. */
function primeBlocks(blocks: AsyncGenerator<SoundBlock, void, undefined>): PrimedBlocks {
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
