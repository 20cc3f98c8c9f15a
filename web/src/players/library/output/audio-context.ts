import { limits } from '@earshot/core/limits'

/** Without any output, such as after leaving a room; a change of player takes less. */
const releaseAfterMs = 2_000

/** One player's use of the page's audio context. */
export interface AudioUse {
  /** Runs the context now, and until `rest`. Where the browser blocks it, it runs after `unlockAudio`. */
  play(): void
  /** Lets the context be suspended after 30 s, unless it is used again. */
  rest(): void
  /** Runs the context now, silent, for a start that may follow within 30 s. */
  warmUp(): void
  /** Ends the use for good. */
  end(): void
}

/**
 * Runs an audio context only while it is needed: resumed for playing, when the page becomes visible and after an
 * interruption such as a phone call, suspended 30 s after the last player rests.
 */
export class SharedAudioContext {
  readonly context: AudioContext
  readonly #uses = new Set<AudioUse>()
  readonly #playing = new Set<AudioUse>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #startedAtMs = 0

  constructor(context: AudioContext) {
    this.context = context
    context.addEventListener('statechange', () => {
      // Its clock stands still until it runs again, with a new stream.
      if (context.state !== 'running') this.#startedAtMs = context.currentTime * 1_000
      this.#recover()
    })
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#recover()
    })
  }

  /** The context time at which the stream started that plays now, ms. */
  get startedAtMs(): number {
    return this.#startedAtMs
  }

  use(): AudioUse {
    const use: AudioUse = {
      play: () => {
        this.#playing.add(use)
        this.resume()
      },
      rest: () => {
        if (this.#playing.delete(use)) this.#suspendLater()
      },
      warmUp: () => {
        this.#playing.delete(use)
        this.resume()
      },
      end: () => {
        this.#playing.delete(use)
        this.#uses.delete(use)
        this.#suspendLater(this.#uses.size > 0 ? limits.outputRestAfterMs : releaseAfterMs)
      },
    }
    this.#uses.add(use)
    return use
  }

  /** Runs the context, for 30 s where nobody plays: from the click that joins a room, its output settles while the room loads. */
  resume(): void {
    // If the browser refuses, the promise stays pending until a click.
    this.context.resume().catch(() => undefined)
    this.#suspendLater()
  }

  #suspendLater(waitMs: number = limits.outputRestAfterMs): void {
    clearTimeout(this.#timer)
    if (this.#playing.size > 0) return
    this.#timer = setTimeout(() => void this.context.suspend().catch(() => undefined), waitMs)
  }

  /** iOS interrupts the context for calls and alarms, and does not always resume it. */
  #recover(): void {
    if (this.#playing.size > 0 && this.context.state !== 'running') this.resume()
  }
}

let shared: SharedAudioContext | null = null

/** Returns the page's only audio context, created at its first use. */
export function sharedAudioContext(): SharedAudioContext {
  if (shared) return shared
  playLikeMedia()
  // Larger buffers underrun less on a busy machine, but their reported latency drifts.
  shared = new SharedAudioContext(new AudioContext({ latencyHint: 'balanced' }))
  return shared
}

/** Makes the browser allow sound, also for a player that is created later. Must be called from a click or key press. */
export function unlockAudio(): void {
  if ('AudioContext' in window) sharedAudioContext().resume()
}

/** Without this, iOS silences Web Audio by the ring switch and in the background (W3C Audio Session). */
function playLikeMedia(): void {
  const { audioSession } = navigator as Navigator & { audioSession?: { type: string } }
  if (audioSession) audioSession.type = 'playback'
}
