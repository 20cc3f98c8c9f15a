import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import { addReading, contextTimeOf, emptyAudioClock, type AudioClock } from './audio-clock.ts'
import { earliestFrame } from './buffer-queue.ts'
import { readOutput } from './output-reading.ts'
import { wallNow } from '../realtime/server-clock.ts'

/** Granularity of the context's own clock, used when the reported output latency is implausible. */
const contextClockToleranceMs = 40
/** Frequent readings separate underruns from drift. */
const readEveryMs = 20
/** An allowed context starts within this time even on a busy machine; a later one waits for a click. */
const startTimeoutMs = 1_500

/** An audio context whose frames are mapped to the wall clock, output latency included, with a volume. */
export class AudioOutput {
  /** Larger buffers underrun less on a busy machine, but their reported latency drifts. */
  readonly context = new AudioContext({ latencyHint: 'balanced' })
  readonly input: GainNode
  readonly #onShift: (frames: number) => void
  #clock: AudioClock = emptyAudioClock
  #latencyMs: number | null = null
  #wasReady = false
  readonly #onReadyChange: (isReady: boolean) => void
  #timer: ReturnType<typeof setTimeout> | null = null
  #listeners = new Set<() => void>()

  /**
   * `onReadyChange` is called when sound can or can no longer be scheduled; `onShift` with the frames by which the output
   * fell behind (or got ahead) in an underrun.
   */
  constructor(onReadyChange: (isReady: boolean) => void, onShift: (frames: number) => void) {
    this.#onReadyChange = onReadyChange
    this.#onShift = onShift
    this.input = this.context.createGain()
    this.input.connect(this.context.destination)
    this.context.onstatechange = () => {
      this.#clock = emptyAudioClock
      this.#checkReady()
    }
    this.#keepReading()
    this.resume()
  }

  get isRunning(): boolean {
    return this.context.state === 'running'
  }

  resume(): void {
    // If the browser refuses, the promise stays pending until a click.
    this.context.resume().catch(() => undefined)
  }

  /** Resolves with true as soon as sound can be scheduled, or with false if the browser seems to block it. */
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

  /** Returns the context's frame (fractional) audible at an instant of the wall clock; null if unknown. */
  frameAt(clientMs: number): number | null {
    const contextMs = contextTimeOf(this.#clock, clientMs)
    return contextMs === null ? null : (contextMs / 1_000) * this.context.sampleRate
  }

  /** Returns the first frame that can still be scheduled. */
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

  /** Also runs after `whenRunning` gave up: a context that starts late unblocks the player. */
  #checkReady(): void {
    const isReady = this.#isReady()
    if (isReady === this.#wasReady) return
    this.#wasReady = isReady
    this.#onReadyChange(isReady)
  }

  #keepReading(): void {
    if (this.isRunning) this.#read()
    this.#checkReady()
    for (const listener of this.#listeners) listener()
    this.#timer = setTimeout(() => this.#keepReading(), readEveryMs)
  }

  #read(): void {
    const before = this.#clock
    this.#clock = this.#takeReading()
    const shiftMs = this.#clock.shiftedMs - before.shiftedMs
    if (shiftMs !== 0) this.#onShift((shiftMs / 1_000) * this.context.sampleRate)
  }

  #takeReading(): AudioClock {
    const { contextTime = 0, performanceTime = 0 } = this.context.getOutputTimestamp()
    if (contextTime <= 0) return this.#clock
    const { currentTime, outputLatency } = this.context
    const nowMs = performance.now()
    const reading = readOutput({ contextTime, performanceTime, currentTime, outputLatency, nowMs })
    this.#latencyMs = reading.latencyMs
    const wallMs = performance.timeOrigin + reading.wallMs
    const toleranceMs = reading.isCoarse ? contextClockToleranceMs : undefined
    return addReading(this.#clock, { contextMs: reading.contextMs, wallMs }, toleranceMs)
  }
}
