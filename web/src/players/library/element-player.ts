import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { PlayerCapabilities, PlayerStatus, PositionSample } from '@earshot/core/sync/follow/player-state'
import { sharedAudioContext } from './output/audio-context.ts'
import { AudioOutput } from './output/audio-output.ts'
import { ElementPlayhead } from './element-playhead.ts'
import { couldPlayOn, onLoaded, onPageLeft, routeElement, unload } from './page-element.ts'
import { isFileServed } from './served-file.ts'
import { PlayerEvents, type Due, type LoadOptions, type Player, type PlayerEvent } from '../player.ts'
import { wallNow } from '../../wall-clock.ts'

/** A paused element this close to a position does not seek. */
const seekBeyondMs = 1
const retryFirstMs = 1_000
const retryMaxMs = 10_000

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
  /** An underrun shows in the position and is corrected as drift. */
  readonly #output = new AudioOutput({
    onReadyChange: (isReady) => this.#onOutputChange(isReady),
    onDead: () => this.#events.emit({ type: 'output_dead' }),
  })
  readonly #audio = sharedAudioContext().element
  readonly #playhead = new ElementPlayhead(this.#audio, this.#output)
  /** Only warms the cache. */
  readonly #preparing = new Audio()
  readonly #events = new PlayerEvents()
  #trackId: string | null = null
  #isDurationUnknown = false
  /** While it is set, only the system pauses the element. */
  #isMeantToPlay = false
  /** Counts load, play and pause calls, so that one that waited can detect a newer one. */
  #latestCall = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  readonly #disposed = new AbortController()
  #whenReady: () => void = () => undefined

  constructor(urlOf: (track: Track) => string) {
    this.#urlOf = urlOf
    this.#audio.preload = 'auto'
    // Pitch correction loses some 20 ms at each change of rate, so corrections would never converge.
    this.#audio.preservesPitch = false
  }

  load(track: Track, positionMs: number, { next }: LoadOptions = {}): Promise<void> {
    this.#latestCall++
    this.#whenReady()
    clearTimeout(this.#retry)
    this.#playhead.stop()
    this.#output.setTrack(track, next)
    if (this.#trackId === null) this.#attach()
    routeElement(this.#audio, this.#output)
    this.#isMeantToPlay = false
    this.#failures = 0
    this.#trackId = track.id
    this.#isDurationUnknown = knownDurationMs(track) === null
    this.#events.setStatus('loading')
    // A start may follow soon after.
    this.#output.warmUp()
    this.#audio.src = this.#urlOf(track)
    this.#audio.load()
    this.#audio.currentTime = positionMs / 1_000
    return new Promise((resolve) => {
      this.#whenReady = resolve
    })
  }

  prepare(track: Track, due: Due): boolean {
    // It would load the whole track.
    if (due === 'later') return false
    this.#preparing.preload = 'auto'
    this.#preparing.src = this.#urlOf(track)
    return false
  }

  async play(positionMs: number, _atClientMs: number): Promise<void> {
    const call = ++this.#latestCall
    if (this.#trackId === null) return
    this.#moveTo(positionMs)
    this.#isMeantToPlay = true
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
    this.#stopElement()
    if (this.#events.status === 'ended') this.#events.setStatus('paused')
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
    this.#output.unlock()
    if (this.#trackId === null) return
    if (this.#events.isBlocked) return this.play(this.#audio.currentTime * 1_000, wallNow())
    const { status } = this.#events
    // Pausing one that is about to play would count as the system's pause.
    if (this.#isMeantToPlay || (status !== 'loading' && status !== 'ready')) return
    // Allows an element that is to start outside of the gesture, once the server has answered.
    void this.#startElement()
    this.#audio.pause()
  }

  dispose(): void {
    this.#latestCall++
    clearTimeout(this.#retry)
    this.#disposed.abort()
    this.#playhead.stop()
    this.#whenReady()
    this.#events.close()
    this.#output.close()
    // The element may be another player's by now if this one never used it.
    if (this.#trackId !== null) unload(this.#audio)
    unload(this.#preparing)
    this.#trackId = null
  }

  /** Takes the page's element over. */
  #attach(): void {
    const audio = this.#audio
    const { signal } = this.#disposed
    const on = (name: keyof HTMLMediaElementEventMap, run: () => void) =>
      audio.addEventListener(name, run, { signal })
    onLoaded(audio, () => this.#onReady(), signal)
    on('playing', () => this.#onPlaying())
    on('waiting', () => this.#onStop('buffering'))
    on('pause', () => this.#onPause())
    onPageLeft(() => (this.#isMeantToPlay = false), signal)
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
    if (this.#audio.paused) return
    this.#playhead.start()
    this.#events.setStatus('playing')
  }

  #onStop(status: PlayerStatus): void {
    this.#playhead.stop()
    this.#events.setStatus(status)
  }

  #onPause(): void {
    const { ended, paused } = this.#audio
    if (ended || !paused || this.#events.status === 'loading') return
    if (this.#isMeantToPlay) void this.#onSystemPause()
    else this.#onStop('paused')
  }

  /** After a call it plays on; without the headphones that were pulled out, everybody around would hear it. */
  async #onSystemPause(): Promise<void> {
    const call = ++this.#latestCall
    this.#isMeantToPlay = false
    this.#onStop('buffering')
    const couldPlay = await couldPlayOn(this.#audio, this.#output)
    if (call !== this.#latestCall) return
    this.#onStop('paused')
    if (couldPlay) this.#events.emit({ type: 'taken_over', by: 'system' })
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

  #stopElement(): void {
    this.#isMeantToPlay = false
    this.#audio.pause()
  }

  #block(): void {
    this.#stopElement()
    this.#output.block(this.#events)
  }
}
