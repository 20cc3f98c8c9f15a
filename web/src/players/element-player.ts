import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import type { PlayerCapabilities, PlayerStatus, PositionSample } from '@earshot/core/sync/follow/player-state'
import { wallNow } from '../realtime/wall-clock.ts'
import { AudioOutput } from './audio-output.ts'
import { ElementMotion } from './element-playhead.ts'
import { PlayerSignals } from './player-signals.ts'
import type { Player, PlayerEvent } from './player.ts'

/** A standing element this near to a position does not seek to it. */
const seekBeyondMs = 1
const retryFirstMs = 1_000
const retryMaxMs = 10_000

/**
 * Plays the server's music files by the browser's own audio element, where sound cannot be decoded and scheduled. It
 * starts when it is told to, some ms late; how late is learnt and allowed for by whoever calls. Its sound goes through
 * an audio context, since only of that it is known when it is heard.
 */
export class ElementPlayer implements Player {
  readonly capabilities: PlayerCapabilities = {
    profile: 'element',
    canSchedule: false,
    rates: 'any',
    granularityMs: 1,
  }
  readonly #urlOf: (track: Track) => string
  readonly #output = new AudioOutput(
    (isReady) => this.#onOutputChange(isReady),
    () => undefined, // A stutter shows in the position, and is corrected as drift
  )
  readonly #audio = new Audio()
  readonly #motion = new ElementMotion(this.#audio, this.#output)
  /** Only warms the cache. */
  readonly #preparing = new Audio()
  readonly #signals = new PlayerSignals()
  #trackId: string | null = null
  #isDurationUnknown = false
  /** Counts the calls that decide what sounds; one that waited finds out whether it is still the latest. */
  #turn = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #whenReady: () => void = () => undefined

  constructor(urlOf: (track: Track) => string) {
    this.#urlOf = urlOf
    this.#audio.preload = 'auto'
    // With pitch correction each departure from rate 1 loses some 20 ms, and nudging never converges.
    this.#audio.preservesPitch = false
    this.#output.context.createMediaElementSource(this.#audio).connect(this.#output.input)
    this.#listen()
  }

  load(track: Track, positionMs: number): Promise<void> {
    this.#turn++
    this.#whenReady()
    clearTimeout(this.#retry)
    this.#motion.stop()
    this.#failures = 0
    this.#trackId = track.id
    this.#isDurationUnknown = track.duration === limits.unknownDurationMs
    this.#signals.setStatus('loading')
    this.#audio.src = this.#urlOf(track)
    this.#audio.currentTime = positionMs / 1_000
    return new Promise((resolve) => {
      this.#whenReady = resolve
    })
  }

  prepare(track: Track): void {
    this.#preparing.preload = 'auto'
    this.#preparing.src = this.#urlOf(track)
  }

  async play(positionMs: number, _atClientMs: number): Promise<void> {
    const turn = ++this.#turn
    if (this.#trackId === null) return
    this.#stand(positionMs)
    // Both at once: the click that allows sound counts only now.
    const [isAllowed] = await Promise.all([this.#begin(), this.#output.whenRunning()])
    if (turn !== this.#turn) return
    if (!isAllowed || !this.#output.isRunning) return this.#block()
    // One that played already says no more that it plays.
    this.#motion.start()
    this.#signals.unblock()
  }

  pause(positionMs: number): Promise<void> {
    this.#turn++
    this.#audio.pause()
    this.#stand(positionMs)
    return Promise.resolve()
  }

  setRate(rate: number): void {
    this.#motion.setRate(rate)
  }

  setVolume(volume: number): void {
    this.#output.setVolume(volume)
  }

  sample(): PositionSample | null {
    if (this.#trackId === null) return null
    const atClientMs = wallNow()
    const positionMs = this.#motion.positionAt(atClientMs) ?? this.#audio.currentTime * 1_000
    return { positionMs, atClientMs, status: this.#signals.status }
  }

  output(): OutputFacts {
    return this.#output.facts()
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    return this.#signals.subscribe(listener)
  }

  async unlock(): Promise<void> {
    this.#output.resume()
    if (this.#trackId === null || !this.#signals.isBlocked) return
    await this.play(this.#audio.currentTime * 1_000, wallNow())
  }

  dispose(): void {
    this.#turn++
    clearTimeout(this.#retry)
    this.#motion.stop()
    this.#whenReady()
    this.#signals.close()
    this.#trackId = null
    for (const audio of [this.#audio, this.#preparing]) {
      audio.pause()
      audio.removeAttribute('src')
      audio.load()
    }
    this.#output.close()
  }

  #listen(): void {
    const audio = this.#audio
    const on = (name: keyof HTMLMediaElementEventMap, run: () => void) => audio.addEventListener(name, run)
    on('canplay', () => this.#onReady())
    on('playing', () => this.#onPlaying())
    on('waiting', () => this.#onStop('buffering'))
    on('pause', () => {
      if (!audio.ended && this.#signals.status !== 'loading') this.#onStop('paused')
    })
    on('ended', () => this.#onStop('ended'))
    on('durationchange', () => this.#tellDuration())
    on('error', () => this.#onError())
  }

  #tellDuration(): void {
    const durationMs = this.#audio.duration * 1_000
    if (!this.#isDurationUnknown || !Number.isFinite(durationMs)) return
    this.#signals.emit({ type: 'duration', durationMs })
  }

  #onReady(): void {
    this.#failures = 0
    this.#whenReady()
    const { status } = this.#signals
    if (status === 'loading') this.#signals.setStatus('ready')
    if (status === 'buffering') this.#signals.setStatus(this.#audio.paused ? 'paused' : 'playing')
  }

  #onError(): void {
    const { error } = this.#audio
    if (this.#trackId === null) return
    if (error?.code === MediaError.MEDIA_ERR_NETWORK) {
      this.#signals.setStatus('buffering')
      const delayMs = Math.min(retryMaxMs, retryFirstMs * 2 ** this.#failures++)
      this.#retry = setTimeout(() => this.#reload(), delayMs)
      return
    }
    this.#whenReady()
    this.#signals.setStatus('error')
    const isUnsupported = error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED
    this.#signals.emit({ type: 'error', message: error?.message ?? 'Unknown error', isUnsupported })
  }

  /** Goes on where it is and as it is now: it may have been told to pause in the meantime. */
  #reload(): void {
    const { currentTime, paused } = this.#audio
    this.#audio.load()
    this.#audio.currentTime = currentTime
    if (!paused) void this.play(currentTime * 1_000, wallNow())
  }

  #onPlaying(): void {
    this.#motion.start()
    this.#signals.setStatus('playing')
  }

  #onStop(status: PlayerStatus): void {
    this.#motion.stop()
    this.#signals.setStatus(status)
  }

  #onOutputChange(isReady: boolean): void {
    if (isReady) return this.#signals.unblock()
    if (!this.#audio.paused) this.#block()
  }

  /** Resolves with whether the browser allows it. What else can fail is told by an event, or is a later call's doing. */
  async #begin(): Promise<boolean> {
    try {
      await this.#audio.play()
      return true
    } catch (error) {
      return !(error instanceof DOMException && error.name === 'NotAllowedError')
    }
  }

  /** At a position, at rate 1, as one that has not moved. */
  #stand(positionMs: number): void {
    this.#motion.stop()
    this.#audio.playbackRate = 1
    if (Math.abs(this.#audio.currentTime * 1_000 - positionMs) < seekBeyondMs) return
    this.#audio.currentTime = positionMs / 1_000
  }

  #block(): void {
    this.#audio.pause()
    this.#signals.block()
  }
}
