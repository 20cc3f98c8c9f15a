import type { SharedAudioContext } from './audio-context.ts'

/** The context's clock is looked at this often while a player sounds. */
const lookEveryMs = 1_000
/** After a longer time the page or the whole process was stopped, and the look says nothing. */
const lateMs = 1_500
/** Looks at a clock that stands still until the context is restarted, and until it is given up. */
const restartAfterLooks = 2
const leastLooks = 5
const mostLooks = 30
/** One that has run for less, s, was dead from the start. */
const leastRunS = 1
/** A gesture of the user runs a context within this time, even one whose device has to wake up. */
const gestureMs = 5_000

/** Grows with each context that was dead from the start. */
let looksUntilDead = leastLooks

/**
 * Watches whether the audio context renders. After a sleep, a call or a failure of the device browsers may leave one
 * that never does again, and some say that it is running. On a hidden page, and while it is suspended or interrupted,
 * it is left alone.
 */
export class RenderWatch {
  readonly #shared: SharedAudioContext
  readonly #onDead: () => void
  #timer: ReturnType<typeof setInterval> | undefined
  #lookedAtMs = 0
  #renderedTo = 0
  #stillLooks = 0
  /** Its device failed, or this restarted it: nothing but a dead context is suspended then. */
  #shouldRun = false
  #gesture: { atMs: number; renderedTo: number } | null = null

  /** `onDead` is called once the context was given up. */
  constructor(shared: SharedAudioContext, onDead: () => void) {
    this.#shared = shared
    this.#onDead = onDead
    shared.context.addEventListener('error', this.#onError)
  }

  start(): void {
    if (this.#timer !== undefined) return
    this.#stillLooks = 0
    this.#lookedAtMs = performance.now()
    this.#renderedTo = this.#shared.context.currentTime
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  close(): void {
    this.stop()
    this.#shared.context.removeEventListener('error', this.#onError)
  }

  /** Notes a gesture of the user. Gives a context up that an earlier one could not resume. */
  onGesture(): void {
    const { state, currentTime } = this.#shared.context
    const before = this.#gesture
    const isStuck = state === 'suspended' && before?.renderedTo === currentTime
    if (!isStuck) this.#gesture = { atMs: performance.now(), renderedTo: currentTime }
    else if (performance.now() - before.atMs >= gestureMs) this.#giveUp()
  }

  readonly #onError = (): void => {
    this.#shouldRun = true
  }

  #look(): void {
    const { state, currentTime } = this.#shared.context
    const wasStopped = performance.now() - this.#lookedAtMs > lateMs
    const isStill = currentTime === this.#renderedTo
    this.#lookedAtMs = performance.now()
    this.#renderedTo = currentTime
    if (!isStill) this.#shouldRun = false
    if (currentTime > leastRunS) looksUntilDead = leastLooks
    const isAlive = state === 'interrupted' || (state === 'suspended' && !this.#shouldRun)
    this.#stillLooks = !isStill || wasStopped || document.hidden || isAlive ? 0 : this.#stillLooks + 1
    if (this.#stillLooks >= looksUntilDead) this.#giveUp()
    else if (this.#stillLooks === restartAfterLooks) void this.#restart()
  }

  /** Revives what iOS leaves after a call. */
  async #restart(): Promise<void> {
    this.#shouldRun = true
    await this.#shared.suspend()
    if (this.#timer !== undefined) this.#shared.resume()
  }

  #giveUp(): void {
    const hasRun = this.#shared.context.currentTime > leastRunS
    looksUntilDead = hasRun ? leastLooks : Math.min(mostLooks, 2 * looksUntilDead)
    this.close()
    this.#shared.replace()
    this.#onDead()
  }
}
