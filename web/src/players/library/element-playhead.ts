import { mean } from '@earshot/core/statistics'
import type { AudioOutput } from './output/audio-output.ts'

/**
 * Estimates the position of a device that reports it in coarse, late steps: extrapolates from its start time and rate,
 * and uses the reports only to correct the offset. All in ms.
 */
export interface Playhead {
  /** The origin of the extrapolation: the last change of the rate. */
  atMs: number
  positionMs: number
  rate: number
  /** How far the latest readings were ahead of the extrapolation, oldest first. */
  offsets: readonly Offset[]
  /** Consecutive outliers; enough of them mean that the device has jumped. */
  outliers: readonly Offset[]
}

interface Offset {
  atMs: number
  aheadMs: number
}

/** Steps come 10 to 25 ms apart: within this the mean of a few of them is good to half a millisecond. */
const windowMs = 1_000
/** A reading further off than this is an outlier. */
const toleranceMs = 25
const outliersUntilJump = 4

/** Starts a playhead at a position and an instant. */
export function startPlayhead(atMs: number, positionMs: number, rate: number): Playhead {
  return { atMs, positionMs, rate, offsets: [], outliers: [] }
}

/** Changes the rate from an instant on. */
export function changePlayheadRate(head: Playhead, atMs: number, rate: number): Playhead {
  return { ...head, atMs, positionMs: extrapolate(head, atMs), rate }
}

/** Adds a reading. */
export function addPosition(head: Playhead, atMs: number, positionMs: number): Playhead {
  const offset = { atMs, aheadMs: positionMs - extrapolate(head, atMs) }
  if (head.offsets.length > 0 && Math.abs(offset.aheadMs - meanAheadMs(head)) > toleranceMs) {
    const outliers = [...head.outliers, offset]
    return outliers.length < outliersUntilJump
      ? { ...head, outliers }
      : { ...head, offsets: outliers, outliers: [] }
  }
  const recent = head.offsets.filter((earlier) => atMs - earlier.atMs < windowMs)
  return { ...head, offsets: [...recent, offset], outliers: [] }
}

/** Returns the estimated position at an instant. */
export function playheadAt(head: Playhead, atMs: number): number {
  return extrapolate(head, atMs) + meanAheadMs(head)
}

const extrapolate = (head: Playhead, atMs: number): number => head.positionMs + (atMs - head.atMs) * head.rate

const meanAheadMs = ({ offsets }: Playhead): number => mean(offsets.map(({ aheadMs }) => aheadMs))

/** Readings at even intervals could all fall on the same point of the element's steps. */
const readAfterMs = { least: 15, spread: 20 }
const goldenRatio = 0.618

/**
 * Estimates the audible position of an audio element. The element reports how much went into the audio context, in
 * steps of the device's buffers, so it is read often against the context's clock, whose output latency is known. If the
 * browser resamples the track, the report is some 2 ms ahead, which a page cannot detect.
 */
export class ElementPlayhead {
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

  /** Starts reading; the element is about to play from its current position. */
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

  /** Returns the position audible at an instant of the client's clock, ms; null while the element does not play. */
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
    // The element starts some ms after `play()`.
    if (currentTime === this.#startedAtS) return
    const contextMs = this.#contextMs()
    this.#head ??= startPlayhead(contextMs, currentTime * 1_000, playbackRate)
    this.#head = addPosition(this.#head, contextMs, currentTime * 1_000)
  }

  #contextMs(): number {
    return this.#output.context.currentTime * 1_000
  }
}
