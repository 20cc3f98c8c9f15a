import type { Due } from '../player.ts'
import { UndecodableError } from './decoding/undecodable-error.ts'
import type { TrackStream } from './decoding/track-stream.ts'

/** Holds the start of the track that is expected to follow, decoded ahead. */
export class NextTrack {
  readonly #onUndecodable: (trackId: string) => void
  #stream: TrackStream | null = null
  #state: 'loading' | 'loaded' | 'failed' = 'loading'
  /** When the track was due as it was last loaded. */
  #due: Due = 'later'

  constructor(onUndecodable: (trackId: string) => void) {
    this.#onUndecodable = onUndecodable
  }

  /** Loads a track in place of the one before; one that failed once more when it is due soon. Returns whether it is loaded. */
  prepare(trackId: string, due: Due, open: () => TrackStream): boolean {
    const isToTryAgain = this.#state === 'failed' && this.#due === 'later' && due === 'soon'
    if (this.#stream?.trackId !== trackId || isToTryAgain) {
      this.#due = due
      void this.#load(open())
    }
    return this.#state === 'loaded'
  }

  /** Hands over the stream of a track; null where another one was loaded, or it failed: what was refused then may be there now. */
  take(trackId: string): TrackStream | null {
    if (this.#stream?.trackId !== trackId) return null
    const taken = this.#stream
    this.#stream = null
    if (this.#state !== 'failed') return taken
    taken.dispose()
    return null
  }

  dispose(): void {
    this.#stream?.dispose()
    this.#stream = null
  }

  async #load(stream: TrackStream): Promise<void> {
    this.#stream?.dispose()
    this.#stream = stream
    this.#state = 'loading'
    try {
      await stream.prime(0)
      if (stream === this.#stream) this.#state = 'loaded'
    } catch (error) {
      if (error instanceof UndecodableError) this.#onUndecodable(stream.trackId)
      else if (stream === this.#stream) this.#state = 'failed'
    }
  }
}
