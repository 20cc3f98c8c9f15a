import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import { limits } from '@earshot/core/limits'
import { wallNow } from '../realtime/wall-clock.ts'
import { addReading, contextTimeOf, emptyAudioClock, type AudioClock } from './audio-clock.ts'
import { earliestFrame } from './buffer-queue.ts'

/** How much the context's own clock jumps, which is all there is when the output's is not believed. */
const contextClockToleranceMs = 40
/** The closer together, the better a step can be told from what only wanders. */
const readEveryMs = 20
/** A context that may run does so within this time, also on a busy machine; one that does not waits for a click. */
const startTimeoutMs = 1_500

/** One audio context whose frames are tied to the wall clock by what is audible, and a volume. */
export class AudioOutput {
  /** Larger buffers would stutter less on a busy machine, but what browsers say of their latency wanders. */
  readonly context = new AudioContext({ latencyHint: 'balanced' })
  readonly input: GainNode
  readonly #onStep: (frames: number) => void
  #clock: AudioClock = emptyAudioClock
  #latencyMs: number | null = null
  #wasReady = false
  readonly #onReadyChange: (isReady: boolean) => void
  #timer: ReturnType<typeof setTimeout> | null = null
  #listeners = new Set<() => void>()

  /**
   * `onReadyChange` is told whether sound can be scheduled, when that changes; `onStep` by how many frames the output
   * fell behind (or got ahead), when the device stuttered.
   */
  constructor(onReadyChange: (isReady: boolean) => void, onStep: (frames: number) => void) {
    this.#onReadyChange = onReadyChange
    this.#onStep = onStep
    this.input = this.context.createGain()
    this.input.connect(this.context.destination)
    this.context.onstatechange = () => {
      this.#clock = emptyAudioClock
      this.#noticeReady()
    }
    this.#readOn()
    this.resume()
  }

  get isRunning(): boolean {
    return this.context.state === 'running'
  }

  resume(): void {
    // Where the browser refuses, the promise stays open until a click: nobody waits for it.
    this.context.resume().catch(() => undefined)
  }

  /** Resolves with true as soon as sound can be scheduled, or with false when the browser seems to refuse. */
  async whenRunning(): Promise<boolean> {
    if (this.#isReady()) return true
    this.resume()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, startTimeoutMs)
      const check = () => {
        if (!this.#isReady()) return
        clearTimeout(timer)
        this.#listeners.delete(check)
        resolve()
      }
      this.#listeners.add(check)
    })
    return this.#isReady()
  }

  /** The context's frame (with its fraction) that is audible at an instant of the wall clock; null if unknown. */
  frameAt(clientMs: number): number | null {
    const contextMs = contextTimeOf(this.#clock, clientMs)
    return contextMs === null ? null : (contextMs / 1_000) * this.context.sampleRate
  }

  /** The first frame that can still be scheduled. */
  earliestFrame(): number {
    return earliestFrame(this.context)
  }

  facts(): OutputFacts {
    const { state, sampleRate } = this.context
    return { state, sampleRate, latencyMs: this.#latencyMs }
  }

  setVolume(volume: number): void {
    this.input.gain.setTargetAtTime(volume, this.context.currentTime, 0.015)
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.context.onstatechange = null
    this.context.close().catch(() => undefined)
  }

  #isReady(): boolean {
    return this.isRunning && contextTimeOf(this.#clock, wallNow()) !== null
  }

  /** Also long after somebody gave up waiting: what was taken for blocked goes on by itself. */
  #noticeReady(): void {
    const isReady = this.#isReady()
    if (isReady === this.#wasReady) return
    this.#wasReady = isReady
    this.#onReadyChange(isReady)
  }

  #readOn(): void {
    if (this.isRunning) this.#read()
    this.#noticeReady()
    for (const listener of this.#listeners) listener()
    this.#timer = setTimeout(() => this.#readOn(), readEveryMs)
  }

  #read(): void {
    const before = this.#clock
    this.#clock = this.#takeReading()
    const stepMs = this.#clock.steppedMs - before.steppedMs
    if (stepMs !== 0) this.#onStep((stepMs / 1_000) * this.context.sampleRate)
  }

  #takeReading(): AudioClock {
    const { contextTime = 0, performanceTime = 0 } = this.context.getOutputTimestamp()
    if (contextTime <= 0) return this.#clock
    const latencyMs = (this.context.currentTime - contextTime) * 1_000
    this.#latencyMs = latencyMs
    if (latencyMs > limits.plausibleOutputLatencyMs) {
      const reading = { contextMs: this.context.currentTime * 1_000, wallMs: wallNow() }
      return addReading(this.#clock, reading, contextClockToleranceMs)
    }
    const wallMs = performance.timeOrigin + performanceTime
    return addReading(this.#clock, { contextMs: contextTime * 1_000, wallMs })
  }
}
