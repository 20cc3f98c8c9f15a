import { vi } from 'vitest'
import { lateAt } from '../library/output/start-drift.ts'

/** Has the volume at once that it would approach. */
export class DeviceGain {
  readonly gain = {
    value: 1,
    setTargetAtTime(value: number) {
      this.value = value
    },
  }
  connectedTo: unknown = null

  connect(to: unknown): void {
    this.connectedTo = to
  }

  disconnect(): void {
    this.connectedTo = null
  }
}

/** The part of an audio context that depends on the device; jsdom has none. Its sound is heard `latencyMs` later. */
export class DeviceContext extends EventTarget {
  state = 'running'
  readonly sampleRate = 48_000
  readonly baseLatency = 0.01
  readonly outputLatency = 0.04
  readonly destination = {}
  latencyMs = 40
  /** Calls back after some ms of rendering. */
  render: (run: () => void, ms: number) => void = setTimeout
  /** How far PulseAudio's first measurement of the stream is off. */
  firstErrorMs = 0
  /** The time that the context did not run. */
  #pausedMs = 0
  #stoppedAtMs: number | null = null
  #startedAt = 0

  get currentTime(): number {
    return Math.max(0, (this.#stoppedAtMs ?? performance.now()) - this.#pausedMs) / 1_000
  }

  getOutputTimestamp() {
    const lateMs = this.firstErrorMs * lateAt(this.currentTime - this.#startedAt)
    const contextTime = Math.max(0, this.currentTime - (this.latencyMs + lateMs) / 1_000)
    return { contextTime, performanceTime: performance.now() }
  }

  createGain() {
    return new DeviceGain()
  }

  /** Ends as the context renders, whatever becomes of the page's timers. */
  createConstantSource() {
    const source = {
      offset: { value: 1 },
      onended: null as (() => void) | null,
      connect: () => undefined,
      start: () => undefined,
      stop: (atS: number) => {
        this.render(() => source.onended?.(), (atS - this.currentTime) * 1_000)
      },
    }
    return source
  }

  createMediaElementSource(mediaElement: unknown) {
    return Object.assign(new DeviceGain(), { mediaElement })
  }

  resume = () => Promise.resolve()
  suspend = () => Promise.resolve()
  close = () => Promise.resolve(this.interrupt('closed'))

  /** The browser's audio dies, and its state tells nothing. */
  die(): void {
    this.#stoppedAtMs = performance.now()
  }

  /** The whole process is stopped: nobody is told. */
  freeze(ms: number): void {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
    this.#pausedMs += ms
  }

  interrupt(state = 'interrupted'): void {
    this.#stoppedAtMs = performance.now()
    this.#change(state)
  }

  goOn(): void {
    this.#startedAt = this.currentTime
    this.#pausedMs += performance.now() - (this.#stoppedAtMs ?? performance.now())
    this.#stoppedAtMs = null
    this.#change('running')
  }

  #change(state: string): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}
