import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import {
  addReading,
  contextTimeOf,
  heardLaterMs,
  newAudioClock,
  settledLatencyMs,
  uncertaintyOf,
  type AudioClock,
} from './audio-clock.ts'
import { sharedAudioContext, type AudioUse, type SharedAudioContext } from './audio-context.ts'
import { readOutput } from './clock-reading.ts'
import { earliestFrame } from '../buffer-queue.ts'
import { readLatency, rememberLatency } from './latency-memory.ts'
import { wallNow } from '../../../realtime/server-clock.ts'

/** Granularity of the context's own clock, used when the reported output latency is implausible. */
const contextClockToleranceMs = 40
/** Frequent readings separate underruns from drift. */
const readEveryMs = 20
/** Until the output has stated when it is heard, it is looked at this often for a block that was just rendered. */
const firstReadEveryMs = 4
/** An allowed context starts within this time even on a busy machine; a later one waits for a click. */
const startTimeoutMs = 1_500
/** A stream that has run for this long has settled, or never will. */
const settlesWithinMs = 15_000
/** Without a reading for longer, the process was stopped, and the output with it. A hidden page reads once a second. */
const stoppedMs = 4_000

/** A volume on the page's audio context, with its frames mapped to the wall clock, output latency included. */
export class AudioOutput {
  readonly context: AudioContext
  readonly input: GainNode
  readonly #shared: SharedAudioContext
  readonly #use: AudioUse
  readonly #onShift: (frames: number) => void
  #clock: AudioClock
  /** The output latency of this run is remembered. */
  #isRemembered = false
  #latencyMs: number | null = null
  #wasReady = false
  readonly #onReadyChange: (isReady: boolean) => void
  #levels: SoundLevels | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Readings from before are of an earlier run of the context. */
  #runningSinceMs = -Infinity
  #readAtMs = Infinity
  /** The context's time at the last look, s. */
  #renderedTo = Infinity
  #hasStated = false
  #listeners = new Set<() => void>()

  /**
   * `onReadyChange` is called when sound can or can no longer be scheduled; `onShift` with the frames by which the output
   * fell behind (or got ahead) in an underrun, or is found to be. `shared` is the page's audio context.
   */
  constructor(
    onReadyChange: (isReady: boolean) => void,
    onShift: (frames: number) => void,
    shared = sharedAudioContext(),
  ) {
    this.#onReadyChange = onReadyChange
    this.#onShift = onShift
    this.context = shared.context
    this.#shared = shared
    this.#clock = this.#newClock()
    this.#use = shared.use()
    this.input = this.context.createGain()
    this.input.connect(this.context.destination)
    this.context.addEventListener('statechange', this.#onStateChange)
    this.#keepReading()
    this.warmUp()
  }

  get isRunning(): boolean {
    return this.context.state === 'running'
  }

  /** Runs the context ahead of a start; nothing sounds until `hold`. */
  warmUp(): void {
    this.#use.warmUp()
  }

  /** Keeps the context running for a player that sounds, until it rests or warms up. */
  hold(): void {
    this.#use.play()
  }

  /** Nothing sounds until the next `hold`, so the context may be suspended. */
  rest(): void {
    this.#use.rest()
  }

  /** Resolves with true as soon as sound can be scheduled, or with false if the browser seems to block it. */
  async whenRunning(): Promise<boolean> {
    if (this.#isReady()) return true
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

  /** Returns by how much `frameAt` may be off, ms; undefined while it is unknown. */
  uncertaintyMs(): number | undefined {
    return uncertaintyOf(this.#clock) ?? undefined
  }

  /** Returns the first frame that can still be scheduled. */
  earliestFrame(): number {
    return earliestFrame(this.context)
  }

  facts(): OutputFacts {
    const { state, sampleRate } = this.context
    return { state, sampleRate, latencyMs: this.#latencyMs }
  }

  /** Reads how loud four bands of the sound are at the listener's volume, low to high, each 0..1. */
  levels(): readonly number[] {
    this.#levels ??= new SoundLevels(this.input)
    return this.#levels.read()
  }

  setVolume(volume: number): void {
    this.input.gain.setTargetAtTime(volume, this.context.currentTime, 0.015)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.context.removeEventListener('statechange', this.#onStateChange)
    this.input.disconnect()
    this.#use.end()
  }

  readonly #onStateChange = (): void => {
    this.#restartClock()
    this.#checkReady()
    clearTimeout(this.#timer)
    this.#keepReading()
  }

  /** Earlier readings say nothing about the output from now on. */
  #restartClock(): void {
    this.#clock = this.#newClock()
    this.#isRemembered = false
    this.#runningSinceMs = wallNow()
  }

  #newClock(): AudioClock {
    return newAudioClock(readLatency(this.context, Date.now()), this.#shared.startedAtMs)
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

  /** Reads the clock while the context runs. */
  #keepReading(): void {
    if (!this.isRunning) return
    const wasStopped = wallNow() - this.#readAtMs > stoppedMs
    this.#readAtMs = wallNow()
    if (wasStopped) this.#restartClock()
    this.#read()
    // A clock that is measured again after a stop is not blocked sound.
    if (this.#isReady()) this.#checkReady()
    for (const listener of this.#listeners) listener()
    this.#timer = setTimeout(() => this.#keepReading(), this.#hasStated ? readEveryMs : firstReadEveryMs)
  }

  #read(): void {
    const before = this.#clock
    this.#clock = this.#takeReading()
    const shiftMs = heardLaterMs(before, this.#clock)
    this.#rememberLatency()
    if (shiftMs !== 0) this.#onShift((shiftMs / 1_000) * this.context.sampleRate)
  }

  /** Once per run: what it shows later is mostly the same. */
  #rememberLatency(): void {
    const [first, last] = [this.#clock.readings.at(0), this.#clock.readings.at(-1)]
    if (this.#isRemembered || !first || !last || last.contextMs - first.contextMs < settlesWithinMs) return
    const latencyMs = settledLatencyMs(this.#clock)
    if (latencyMs === null) return
    this.#isRemembered = true
    rememberLatency(this.context, latencyMs, Date.now())
  }

  /**
   * Firefox keeps for good the latency that it measures at the first call, and freezes where that meets the rendering of
   * a block. So the first calls follow a block that was just rendered.
   */
  #mayAsk(): boolean {
    const { currentTime } = this.context
    const isJustRendered = currentTime > this.#renderedTo
    this.#renderedTo = currentTime
    return this.#hasStated || isJustRendered
  }

  #takeReading(): AudioClock {
    if (!this.#mayAsk()) return this.#clock
    const { contextTime = 0, performanceTime = 0 } = this.context.getOutputTimestamp()
    if (contextTime <= 0 || performance.timeOrigin + performanceTime < this.#runningSinceMs)
      return this.#clock
    this.#hasStated = true
    const { currentTime, outputLatency } = this.context
    const nowMs = performance.now()
    const stamp = { contextTime, performanceTime, currentTime, outputLatency, nowMs }
    const { reading, latencyMs, isCoarse } = readOutput(stamp, performance.timeOrigin)
    this.#latencyMs = latencyMs
    return addReading(this.#clock, reading, isCoarse ? contextClockToleranceMs : undefined)
  }
}

/** The first bin of each band, and the end of the last: 190 Hz a bin at 48 kHz. */
const bandEdges = [0, 2, 6, 18, 60]
const fftSize = 256
const smoothing = 0.6

/** Measures the loudness of a node's sound in four bands. */
class SoundLevels {
  readonly #analyser: AnalyserNode
  readonly #bins: Uint8Array<ArrayBuffer>

  constructor(source: AudioNode) {
    this.#analyser = source.context.createAnalyser()
    this.#analyser.fftSize = fftSize
    this.#analyser.smoothingTimeConstant = smoothing
    this.#bins = new Uint8Array(this.#analyser.frequencyBinCount)
    source.connect(this.#analyser)
  }

  /** Returns the mean level of each band, low to high, 0..1. */
  read(): readonly number[] {
    this.#analyser.getByteFrequencyData(this.#bins)
    return meanLevels(this.#bins)
  }
}

/** Averages the bins of each band; 0..255 becomes 0..1. */
export function meanLevels(bins: Uint8Array): readonly number[] {
  return bandEdges.slice(1).map((end, band) => {
    const own = bins.subarray(bandEdges[band], end)
    return own.reduce((sum, level) => sum + level, 0) / (own.length * 255)
  })
}
