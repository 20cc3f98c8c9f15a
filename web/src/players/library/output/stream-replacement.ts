import { isDisturbed, isUndisturbedAgain, type AudioClock } from './audio-clock.ts'
import type { SharedAudioContext } from './audio-context.ts'
import { delay } from '../../../timing.ts'
import { wallNow } from '../../../wall-clock.ts'

/** A disturbed stream is replaced once nothing sounds for this long. */
const replacedAfterMs = 500
/** Some devices never run well: so many replacements within this time are enough. */
const mostReplacements = 3
const countedForMs = 60_000
/** A browser may leave a promise pending. */
const replacesWithinMs = 1_000

/** Replaces a stream of the audio context whose timestamps are off, while nothing sounds and somebody looks at the page. */
export class StreamReplacement {
  readonly #shared: SharedAudioContext
  readonly #onReplaced: () => void
  /** Null while a player sounds. */
  #silentSinceMs: number | null = wallNow()
  #replacedAtMs: number[] = []
  #replacing: Promise<void> | null = null
  #isClosed = false

  /** `onReplaced` is called when what was read of the clock says nothing any more. */
  constructor(shared: SharedAudioContext, onReplaced: () => void) {
    this.#shared = shared
    this.#onReplaced = onReplaced
  }

  /** Whether what is read of the clock may be of the stream before. */
  get isReplacing(): boolean {
    return this.#replacing !== null
  }

  /** Resolves at once while nothing is replaced, and within a second otherwise. */
  async whenDone(): Promise<void> {
    await this.#replacing
  }

  /** Call with each reading while nothing sounds. */
  whileSilent(clock: AudioClock): void {
    const isSilent = wallNow() - (this.#silentSinceMs ?? Infinity) >= replacedAfterMs
    if (isSilent && isUndisturbedAgain(clock)) this.#replaceDisturbed(clock)
  }

  noteSilence(): void {
    this.#silentSinceMs ??= wallNow()
  }

  /** Call before a sound. It begins 0.1 to 0.3 s late where the stream is replaced, in place of several ms off for 15 s. */
  beforeSound(clock: AudioClock): void {
    if (this.#silentSinceMs !== null) this.#replaceDisturbed(clock)
    this.#silentSinceMs = null
  }

  close(): void {
    this.#isClosed = true
  }

  #replaceDisturbed(clock: AudioClock): void {
    this.#replacedAtMs = this.#replacedAtMs.filter((atMs) => wallNow() - atMs < countedForMs)
    // In the background a phone may refuse to resume it.
    if (this.#replacing || document.hidden || !isDisturbed(clock)) return
    if (this.#replacedAtMs.length < mostReplacements && this.#shared.canRestart)
      this.#replacing = this.#replace()
  }

  async #replace(): Promise<void> {
    this.#replacedAtMs.push(wallNow())
    await Promise.race([this.#shared.restart(), delay(replacesWithinMs)])
    this.#replacing = null
    if (!this.#isClosed) this.#onReplaced()
  }
}
