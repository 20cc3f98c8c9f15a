import type { Track } from '@earshot/core/protocol/entities'
import type { PlayerCapabilities, PlayerStatus, PositionSample } from '@earshot/core/sync/player-state'
import { wallNow } from '../realtime/wall-clock.ts'
import type { Player, PlayerEvent } from './player.ts'

/** A standing element this near to a position does not seek to it: a seek costs more than the difference. */
const seekBeyondMs = 5
const retryFirstMs = 1_000
const retryMaxMs = 10_000

/**
 * Plays the server's music files by the browser's own audio element, where sound cannot be decoded and scheduled. It
 * starts when it is told to, some 100 ms late; how late is learnt and allowed for by whoever calls.
 */
export class ElementPlayer implements Player {
  readonly capabilities: PlayerCapabilities = {
    profile: 'element',
    canSchedule: false,
    rates: 'any',
    granularityMs: 23,
  }
  readonly #urlOf: (track: Track) => string
  readonly #audio = new Audio()
  /** Only warms the cache. */
  readonly #preparing = new Audio()
  readonly #listeners = new Set<(event: PlayerEvent) => void>()
  #trackId: string | null = null
  #status: PlayerStatus = 'idle'
  #isBlocked = false
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #whenReady: () => void = () => undefined

  constructor(urlOf: (track: Track) => string) {
    this.#urlOf = urlOf
    this.#audio.preload = 'auto'
    // With pitch correction each departure from rate 1 loses some 20 ms, and nudging never converges.
    this.#audio.preservesPitch = false
    this.#listen()
  }

  load(track: Track, positionMs: number): Promise<void> {
    this.#whenReady()
    clearTimeout(this.#retry)
    this.#failures = 0
    this.#trackId = track.id
    this.#setStatus('loading')
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
    if (this.#trackId === null) return
    this.#audio.playbackRate = 1
    this.#seek(positionMs)
    try {
      await this.#audio.play()
      this.#unblock()
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#block()
      // Anything else comes as an event of the element, or is a later call's doing.
    }
  }

  pause(positionMs: number): Promise<void> {
    this.#audio.pause()
    this.#audio.playbackRate = 1
    this.#seek(positionMs)
    return Promise.resolve()
  }

  setRate(rate: number): void {
    this.#audio.playbackRate = rate
  }

  setVolume(volume: number): void {
    this.#audio.volume = volume
  }

  sample(): PositionSample | null {
    if (this.#trackId === null) return null
    return { positionMs: this.#audio.currentTime * 1_000, atClientMs: wallNow(), status: this.#status }
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async unlock(): Promise<void> {
    if (this.#trackId === null || !this.#isBlocked) return
    await this.play(this.#audio.currentTime * 1_000, wallNow())
  }

  dispose(): void {
    clearTimeout(this.#retry)
    this.#whenReady()
    this.#listeners.clear()
    this.#trackId = null
    for (const audio of [this.#audio, this.#preparing]) {
      audio.pause()
      audio.removeAttribute('src')
      audio.load()
    }
  }

  #listen(): void {
    const audio = this.#audio
    const on = (name: keyof HTMLMediaElementEventMap, run: () => void) => audio.addEventListener(name, run)
    on('canplay', () => this.#onReady())
    on('playing', () => this.#setStatus('playing'))
    on('waiting', () => this.#setStatus('buffering'))
    on('pause', () => {
      if (!audio.ended && this.#status !== 'loading') this.#setStatus('paused')
    })
    on('ended', () => this.#setStatus('ended'))
    on('error', () => this.#onError())
  }

  #onReady(): void {
    this.#failures = 0
    this.#whenReady()
    if (this.#status === 'loading') this.#setStatus('ready')
    else if (this.#status === 'buffering') this.#setStatus(this.#audio.paused ? 'paused' : 'playing')
  }

  #onError(): void {
    const { error, currentTime, paused } = this.#audio
    if (this.#trackId === null) return
    if (error?.code === MediaError.MEDIA_ERR_NETWORK) {
      this.#setStatus('buffering')
      const delayMs = Math.min(retryMaxMs, retryFirstMs * 2 ** this.#failures++)
      this.#retry = setTimeout(() => this.#reload(currentTime, !paused), delayMs)
      return
    }
    this.#whenReady()
    this.#setStatus('error')
    const isUnsupported = error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED
    this.#emit({ type: 'error', message: error?.message ?? 'Unknown error', isUnsupported })
  }

  #reload(atS: number, isPlaying: boolean): void {
    this.#audio.load()
    this.#audio.currentTime = atS
    if (isPlaying) void this.play(atS * 1_000, wallNow())
  }

  #seek(positionMs: number): void {
    if (Math.abs(this.#audio.currentTime * 1_000 - positionMs) < seekBeyondMs) return
    this.#audio.currentTime = positionMs / 1_000
  }

  #block(): void {
    this.#isBlocked = true
    this.#emit({ type: 'blocked' })
  }

  #unblock(): void {
    if (!this.#isBlocked) return
    this.#isBlocked = false
    this.#emit({ type: 'unblocked' })
  }

  #setStatus(status: PlayerStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.#emit({ type: 'status', status })
  }

  #emit(event: PlayerEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
