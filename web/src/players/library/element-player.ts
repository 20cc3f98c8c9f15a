import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { PlayerCapabilities, PlayerStatus, PositionSample } from '@earshot/core/sync/follow/player-state'
import { unlockAudio } from './output/audio-context.ts'
import { AudioOutput } from './output/audio-output.ts'
import { ElementPlayhead } from './element-playhead.ts'
import { PlayerEvents, type Player, type PlayerEvent } from '../player.ts'
import { wallNow } from '../../realtime/server-clock.ts'

/** A paused element this close to a position does not seek. */
const seekBeyondMs = 1
const retryFirstMs = 1_000
const retryMaxMs = 10_000
const fileCheckTimeoutMs = 5_000

/**
 * Plays the server's music files with the browser's audio element, for browsers without WebCodecs. It starts some ms
 * late, which the follow algorithm measures and compensates. Its sound goes through an audio context, the only source
 * of the output latency.
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
    () => undefined, // An underrun shows in the position and is corrected as drift
  )
  readonly #audio = new Audio()
  readonly #playhead = new ElementPlayhead(this.#audio, this.#output)
  /** Only warms the cache. */
  readonly #preparing = new Audio()
  readonly #events = new PlayerEvents()
  #trackId: string | null = null
  #isDurationUnknown = false
  /** Counts load, play and pause calls, so that one that waited can detect a newer one. */
  #latestCall = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #whenReady: () => void = () => undefined

  constructor(urlOf: (track: Track) => string) {
    this.#urlOf = urlOf
    this.#audio.preload = 'auto'
    // Pitch correction loses some 20 ms at each change of rate, so corrections would never converge.
    this.#audio.preservesPitch = false
    this.#output.context.createMediaElementSource(this.#audio).connect(this.#output.input)
    this.#listen()
  }

  load(track: Track, positionMs: number): Promise<void> {
    this.#latestCall++
    this.#whenReady()
    clearTimeout(this.#retry)
    this.#playhead.stop()
    this.#failures = 0
    this.#trackId = track.id
    this.#isDurationUnknown = knownDurationMs(track) === null
    this.#events.setStatus('loading')
    // A start may follow soon after.
    this.#output.warmUp()
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
    const call = ++this.#latestCall
    if (this.#trackId === null) return
    this.#moveTo(positionMs)
    this.#output.hold()
    // Both at once: the user activation is valid only now.
    const [isAllowed] = await Promise.all([this.#startElement(), this.#output.whenRunning()])
    if (call !== this.#latestCall) return
    if (!isAllowed || !this.#output.isRunning) return this.#block()
    // An element that played already emits no `playing`.
    this.#playhead.start()
    this.#events.unblock()
  }

  pause(positionMs: number): Promise<void> {
    this.#latestCall++
    this.#audio.pause()
    this.#output.warmUp()
    this.#moveTo(positionMs)
    return Promise.resolve()
  }

  setRate(rate: number): void {
    this.#playhead.setRate(rate)
  }

  setVolume(volume: number): void {
    this.#output.setVolume(volume)
  }

  sample(): PositionSample | null {
    if (this.#trackId === null) return null
    const atClientMs = wallNow()
    const positionMs = this.#playhead.positionAt(atClientMs) ?? this.#audio.currentTime * 1_000
    return {
      positionMs,
      atClientMs,
      status: this.#events.status,
      uncertaintyMs: this.#output.uncertaintyMs(),
    }
  }

  output(): OutputFacts {
    return this.#output.facts()
  }

  levels(): readonly number[] {
    return this.#output.levels()
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    return this.#events.subscribe(listener)
  }

  async unlock(): Promise<void> {
    unlockAudio()
    if (this.#trackId === null || !this.#events.isBlocked) return
    await this.play(this.#audio.currentTime * 1_000, wallNow())
  }

  dispose(): void {
    this.#latestCall++
    clearTimeout(this.#retry)
    this.#playhead.stop()
    this.#whenReady()
    this.#events.close()
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
      if (!audio.ended && this.#events.status !== 'loading') this.#onStop('paused')
    })
    on('ended', () => {
      this.#output.rest()
      this.#onStop('ended')
    })
    on('durationchange', () => this.#reportDuration())
    on('error', () => this.#onError())
  }

  #reportDuration(): void {
    const durationMs = this.#audio.duration * 1_000
    if (!this.#isDurationUnknown || !Number.isFinite(durationMs)) return
    this.#events.emit({ type: 'duration', durationMs })
  }

  #onReady(): void {
    this.#failures = 0
    this.#whenReady()
    const { status } = this.#events
    if (status === 'loading') this.#events.setStatus('ready')
    if (status === 'buffering') this.#events.setStatus(this.#audio.paused ? 'paused' : 'playing')
  }

  #onError(): void {
    const { error } = this.#audio
    if (this.#trackId === null) return
    if (error?.code === MediaError.MEDIA_ERR_NETWORK) {
      this.#events.setStatus('buffering')
      const delayMs = Math.min(retryMaxMs, retryFirstMs * 2 ** this.#failures++)
      this.#retry = setTimeout(() => this.#reload(), delayMs)
      return
    }
    this.#whenReady()
    this.#events.setStatus('error')
    const message = error?.message ?? 'Unknown error'
    if (error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED) void this.#reportUnsupported(message)
    else this.#events.emit({ type: 'error', message })
  }

  /** A file that the server did not send has the same error code as one of an unsupported format. */
  async #reportUnsupported(message: string): Promise<void> {
    const trackId = this.#trackId
    const isServed = await isFileServed(this.#audio.src)
    if (trackId === null || trackId !== this.#trackId) return
    this.#events.emit(isServed ? { type: 'unsupported', trackId } : { type: 'error', message })
  }

  /** Reloads at the current position; it may have been paused in the meantime. */
  #reload(): void {
    const { currentTime, paused } = this.#audio
    this.#audio.load()
    this.#audio.currentTime = currentTime
    if (!paused) void this.play(currentTime * 1_000, wallNow())
  }

  #onPlaying(): void {
    this.#playhead.start()
    this.#events.setStatus('playing')
  }

  #onStop(status: PlayerStatus): void {
    this.#playhead.stop()
    this.#events.setStatus(status)
  }

  #onOutputChange(isReady: boolean): void {
    if (isReady) return this.#events.unblock()
    if (!this.#audio.paused) this.#block()
  }

  /** Resolves with whether the browser allows it. Other failures emit an event or result from a later call. */
  async #startElement(): Promise<boolean> {
    try {
      await this.#audio.play()
      return true
    } catch (error) {
      return !(error instanceof DOMException && error.name === 'NotAllowedError')
    }
  }

  /** Moves to a position, paused, at rate 1. */
  #moveTo(positionMs: number): void {
    this.#playhead.stop()
    this.#audio.playbackRate = 1
    if (Math.abs(this.#audio.currentTime * 1_000 - positionMs) < seekBeyondMs) return
    this.#audio.currentTime = positionMs / 1_000
  }

  #block(): void {
    this.#audio.pause()
    this.#events.block()
  }
}

async function isFileServed(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(fileCheckTimeoutMs) })
    return ok
  } catch {
    return false
  }
}
