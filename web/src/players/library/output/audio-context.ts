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
  /** The page's only audible element: WebKit allows the sound of each element by a gesture of its own. */
  readonly element = new Audio()
  readonly #uses = new Set<AudioUse>()
  readonly #playing = new Set<AudioUse>()
  readonly #listening = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #startedAtMs = 0
  /** It runs, and this did not suspend it. */
  #isRunning = false
  /**
   * Whether the system paused it, as where headphones are pulled out, in any WebKit with an audio session: not iOS alone.
   * For a call WebKit interrupts it instead.
   */
  isPausedBySystem = false

  constructor(context: AudioContext) {
    this.context = context
    context.addEventListener('statechange', () => {
      // Its clock stands still until it runs again, with a new stream.
      if (context.state !== 'running') this.#startedAtMs = context.currentTime * 1_000
      this.isPausedBySystem =
        !!audioSession() && this.#isRunning && this.#playing.size > 0 && context.state === 'suspended'
      this.#isRunning = context.state === 'running'
      if (!this.isPausedBySystem) this.#recover()
    })
    const onVisibilityChange = () => {
      if (!document.hidden) this.#recover()
    }
    document.addEventListener('visibilitychange', onVisibilityChange, this.#listening)
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

  /** For a gesture of the user. */
  unlock(): void {
    this.resume()
    // Without a source this loads nothing; the gesture counts for all that the element will play.
    if (!this.element.src) this.element.load()
  }

  /**
   * Runs the context, for 30 s where nobody plays: from the click that joins a room, its output settles while the
   * room loads.
   */
  resume(): void {
    // If the browser refuses, the promise stays pending until a click.
    this.context.resume().catch(() => undefined)
    this.#suspendLater()
  }

  /** Suspends the context now. */
  async suspend(): Promise<void> {
    this.#isRunning = false
    await this.context.suspend().catch(() => undefined)
  }

  /** Gives the context up: the next use of the page's sound makes another, with another element. */
  replace(): void {
    if (shared === this) shared = null
    this.#listening.abort()
    this.context.close().catch(() => undefined)
  }

  #suspendLater(waitMs: number = limits.outputRestAfterMs): void {
    clearTimeout(this.#timer)
    if (this.#playing.size > 0) return
    this.#timer = setTimeout(() => void this.suspend(), waitMs)
  }

  /** iOS interrupts the context for calls and alarms, and does not always resume it. */
  #recover(): void {
    if (this.#playing.size > 0 && this.context.state !== 'running') this.resume()
  }
}

/** Only WebKit has one (W3C Audio Session). */
const audioSession = () => (navigator as Navigator & { audioSession?: { type: string } }).audioSession

let shared: SharedAudioContext | null = null

/** Returns the page's only audio context, created at its first use, and anew once it was given up. */
export function sharedAudioContext(): SharedAudioContext {
  if (shared) return shared
  // Otherwise iOS silences Web Audio by the ring switch and in the background.
  const session = audioSession()
  if (session) session.type = 'playback'
  // Larger buffers underrun less on a busy machine, but their reported latency drifts.
  shared = new SharedAudioContext(new AudioContext({ latencyHint: 'balanced' }))
  return shared
}

/** Makes the browser allow sound, also for a player that is created later. Must be called from a click or key press. */
export function unlockAudio(): void {
  if ('AudioContext' in window) sharedAudioContext().unlock()
}
