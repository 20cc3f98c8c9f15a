import { isDisturbed, runsAgain, type AudioClock } from './audio-clock.ts'
import type { SharedAudioContext } from './audio-context.ts'
import { wallNow } from '../../../wall-clock.ts'

/** A disturbed stream is replaced once nothing sounds for this long; a few times, as some devices never run well. */
const replacedAfterMs = 500
const mostReplacements = 3

/** Replaces a stream of the audio context whose timestamps are off, while nothing sounds. */
export class StreamReplacement {
  readonly #shared: SharedAudioContext
  readonly #onReplaced: () => void
  /** Null while a player sounds. */
  #silentSinceMs: number | null = wallNow()
  /** Since the last sound. */
  #replacements = 0
  #isRunning = false

  /** `onReplaced` is called when what was read of the clock says nothing any more. */
  constructor(shared: SharedAudioContext, onReplaced: () => void) {
    this.#shared = shared
    this.#onReplaced = onReplaced
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  noteSilence(): void {
    this.#silentSinceMs ??= wallNow()
  }

  noteSound(): void {
    this.#silentSinceMs = null
    this.#replacements = 0
  }

  /** Call with each reading of the clock. */
  whileSilent(clock: AudioClock): void {
    const isSilent = wallNow() - (this.#silentSinceMs ?? Infinity) >= replacedAfterMs
    if (!isSilent || !isDisturbed(clock) || !runsAgain(clock)) return
    if (this.#replacements >= mostReplacements) return
    this.#replacements += 1
    void this.#run()
  }

  /** Call before a sound. It begins 0.1 s late where the stream is replaced, in place of several ms off for 15 s. */
  beforeSound(clock: AudioClock): void {
    if (this.#silentSinceMs !== null && isDisturbed(clock)) void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    const isReplaced = await this.#shared.restart()
    this.#isRunning = false
    if (isReplaced) this.#onReplaced()
  }
}
