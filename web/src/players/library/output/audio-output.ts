import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import type { Track } from '@earshot/core/protocol/entities'
import {
  addReading,
  contextTimeOf,
  heardLaterMs,
  newAudioClock,
  settledLatencyMs,
  uncertaintyOf,
  type AudioClock,
} from './audio-clock.ts'
import { sharedAudioContext, unlockAudio, type AudioUse, type SharedAudioContext } from './audio-context.ts'
import { earliestFrame } from './earliest-frame.ts'
import type { PlayerEvents } from '../../player.ts'
import { readOutput } from './clock-reading.ts'
import { readLatency, rememberLatency } from './latency-memory.ts'
import { delay } from '../../../timing.ts'
import { RenderWatch } from './render-watch.ts'
import { meterLevels } from './sound-levels.ts'
import { TrackGains } from './track-gains.ts'
import { wallNow } from '../../../wall-clock.ts'

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

interface OutputEvents {
  /** Called when sound can or can no longer be scheduled. */
  onReadyChange: (isReady: boolean) => void
  /** Called with the frames by which the output fell behind (or got ahead) in an underrun, or is found to be. */
  onShift?: (frames: number) => void
  /** Called when it will never sound again. */
  onDead: () => void
}

/** A volume on the page's audio context, with its frames mapped to the wall clock, output latency included. */
export class AudioOutput {
  readonly context: AudioContext
  readonly #volume: GainNode
  readonly #gains: TrackGains
  readonly #shared: SharedAudioContext
  readonly #use: AudioUse
  readonly #watch: RenderWatch
  readonly #onShift: OutputEvents['onShift']
  #clock: AudioClock
  /** The output latency of this run is remembered. */
  #isRemembered = false
  #latencyMs: number | null = null
  #wasReady = false
  readonly #onReadyChange: OutputEvents['onReadyChange']
  #levels: (() => readonly number[]) | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #tick: ConstantSourceNode | null = null
  /** Readings from before are of an earlier run of the context. */
  #runningSinceMs = -Infinity
  #readAtMs = Infinity
  /** The context's time at the last look, s. */
  #renderedTo = Infinity
  #hasStated = false
  #waiting: (() => void)[] = []

  /** `shared` is the page's audio context. */
  constructor({ onReadyChange, onShift, onDead }: OutputEvents, shared = sharedAudioContext()) {
    this.#onReadyChange = onReadyChange
    this.#onShift = onShift
    this.context = shared.context
    this.#shared = shared
    this.#clock = this.#newClock()
    this.#use = shared.use()
    this.#watch = new RenderWatch(shared, onDead)
    this.#volume = this.context.createGain()
    this.#volume.connect(this.context.destination)
    this.#gains = new TrackGains(this.context, this.#volume)
    this.context.addEventListener('statechange', this.#onStateChange)
    this.#keepReading()
    this.warmUp()
  }

  get isRunning(): boolean {
    return this.context.state === 'running'
  }

  /** Where the sound of the track goes that was set last. */
  get input(): AudioNode {
    return this.#gains.input
  }

  /** Brings what is connected to `input` from now on to the common loudness, by the loudness of its track or its album. */
  setTrack(track: Track, next?: Track | null): void {
    this.#gains.setTrack(track, next)
  }

  /** Tells a player's subscribers why it cannot sound: the browser blocks it, or the system paused it. */
  block(events: PlayerEvents): void {
    if (!this.#shared.isPausedBySystem) return events.block()
    this.rest()
    events.emit({ type: 'taken_over', by: 'system' })
  }

  /** Runs the context ahead of a start; nothing sounds until `hold`. */
  warmUp(): void {
    this.#watch.stop()
    this.#use.warmUp()
  }

  /** Keeps the context running for a player that sounds, until it rests or warms up. */
  hold(): void {
    this.#use.play()
    this.#watch.start()
  }

  /** Nothing sounds until the next `hold`, so the context may be suspended. */
  rest(): void {
    this.#watch.stop()
    this.#use.rest()
  }

  /** For a gesture of the user. */
  unlock(): void {
    this.#watch.onGesture()
    unlockAudio()
  }

  /** Resolves with true as soon as sound can be scheduled, or with false if the browser seems to block it. */
  async whenRunning(): Promise<boolean> {
    if (!this.#isReady()) {
      const ready = new Promise<void>((resolve) => this.#waiting.push(resolve))
      await Promise.race([ready, delay(startTimeoutMs)])
    }
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
    this.#levels ??= meterLevels(this.#volume)
    return this.#levels()
  }

  setVolume(volume: number): void {
    this.#volume.gain.setTargetAtTime(volume, this.context.currentTime, 0.015)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#watch.close()
    if (this.#tick) this.#tick.onended = null
    this.context.removeEventListener('statechange', this.#onStateChange)
    this.#gains.close()
    this.#volume.disconnect()
    this.#use.end()
  }

  readonly #onStateChange = (): void => {
    this.#restartClock()
    this.#checkReady()
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
    clearTimeout(this.#timer)
    if (!this.isRunning) return
    const wasStopped = wallNow() - this.#readAtMs > stoppedMs
    this.#readAtMs = wallNow()
    if (wasStopped) this.#restartClock()
    this.#read()
    // A clock that is measured again after a stop is not blocked sound.
    this.#timer = setTimeout(() => this.#keepReading(), this.#hasStated ? readEveryMs : firstReadEveryMs)
    if (!this.#isReady()) return this.#tickSoon()
    this.#checkReady()
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /**
   * The timers of a page that is hidden and silent run once a second, too late for a start that is near; sources end
   * in time.
   */
  #tickSoon(): void {
    if (this.#tick) return
    const tick = this.context.createConstantSource()
    tick.offset.value = 0
    tick.connect(this.context.destination)
    tick.onended = () => {
      this.#tick = null
      this.#keepReading()
    }
    tick.start()
    tick.stop(this.context.currentTime + readEveryMs / 1_000)
    this.#tick = tick
  }

  #read(): void {
    const before = this.#clock
    this.#clock = this.#takeReading()
    const shiftMs = heardLaterMs(before, this.#clock)
    this.#rememberLatency()
    if (shiftMs !== 0) this.#onShift?.((shiftMs / 1_000) * this.context.sampleRate)
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
    return addReading(this.#clock, reading, isCoarse)
  }
}
