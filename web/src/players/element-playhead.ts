import type { AudioOutput } from './audio-output.ts'
import { addPosition, changePlayheadRate, playheadAt, startPlayhead, type Playhead } from './playhead.ts'

/** Readings at even intervals could all fall on the same point of the element's steps. */
const readAfterMs = { least: 15, spread: 20 }
const goldenRatio = 0.618

/**
 * Where an audio element is heard to be. What it says counts what went into the audio context, in steps of the device's
 * buffers: it is read often, against the context's clock, of which in turn is known when it is audible. Where the browser
 * resamples the track, it says some 2 ms more than that; no page can tell.
 */
export class ElementMotion {
  readonly #audio: HTMLAudioElement
  readonly #output: AudioOutput
  #head: Playhead | null = null
  #startedAtS = 0
  #reads = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(audio: HTMLAudioElement, output: AudioOutput) {
    this.#audio = audio
    this.#output = output
  }

  /** The element is about to move, from where it stands. */
  start(): void {
    this.stop()
    this.#startedAtS = this.#audio.currentTime
    this.#readOn()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#head = null
  }

  setRate(rate: number): void {
    this.#audio.playbackRate = rate
    if (this.#head) this.#head = changePlayheadRate(this.#head, this.#contextMs(), rate)
  }

  /** What is audible at an instant of the client's clock, ms of the track; null where the element does not move. */
  positionAt(clientMs: number): number | null {
    const frame = this.#output.frameAt(clientMs)
    if (!this.#head || frame === null) return null
    return playheadAt(this.#head, (frame / this.#output.context.sampleRate) * 1_000)
  }

  #readOn(): void {
    this.#read()
    const share = (this.#reads++ * goldenRatio) % 1
    this.#timer = setTimeout(() => this.#readOn(), readAfterMs.least + share * readAfterMs.spread)
  }

  #read(): void {
    const { currentTime, playbackRate } = this.#audio
    // Told to play, it stands for some more ms.
    if (currentTime === this.#startedAtS) return
    const contextMs = this.#contextMs()
    this.#head ??= startPlayhead(contextMs, currentTime * 1_000, playbackRate)
    this.#head = addPosition(this.#head, contextMs, currentTime * 1_000)
  }

  #contextMs(): number {
    return this.#output.context.currentTime * 1_000
  }
}
