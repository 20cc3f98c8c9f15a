import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import type { PlayerCapabilities, PositionSample } from '@earshot/core/sync/follow/player-state'
import { wallNow } from '../realtime/wall-clock.ts'
import { AudioOutput } from './audio-output.ts'
import { Deck } from './track-stream.ts'
import { PlayerSignals } from './player-signals.ts'
import type { Player, PlayerEvent } from './player.ts'
import { startLine } from './frame-map.ts'
import { UndecodableError } from './track-decoder.ts'
import { Voice } from './buffer-queue.ts'

/** What is decoded ahead bridges no more than this. */
const catchUpWithinMs = 2_000

/**
 * Plays the server's own music files: decoded as a stream and scheduled on an audio context, so that any instant of
 * the wall clock can be hit to the sample, output latency included.
 */
export class LibraryPlayer implements Player {
  readonly capabilities: PlayerCapabilities = {
    profile: 'library',
    canSchedule: true,
    rates: 'any',
    granularityMs: 0.1,
  }
  readonly #urlOf: (track: Track) => string
  readonly #output: AudioOutput
  readonly #signals = new PlayerSignals()
  #deck: Deck | null = null
  #prepared: Deck | null = null
  #voice: Voice | null = null
  #standingMs = 0
  /** Counts the calls that decide what sounds; one that waited finds out whether it is still the latest. */
  #turn = 0

  constructor(urlOf: (track: Track) => string) {
    this.#urlOf = urlOf
    this.#output = new AudioOutput(
      (isReady) => this.#onOutputChange(isReady),
      (frames) => this.#catchUp(frames),
    )
  }

  async load(track: Track, positionMs: number): Promise<void> {
    const turn = ++this.#turn
    this.#silence(this.#output.earliestFrame())
    this.#standingMs = positionMs
    const deck = this.#takeDeck(track)
    this.#signals.setStatus('loading')
    try {
      await deck.prime(this.#toFrames(positionMs))
      if (turn === this.#turn) this.#signals.setStatus('ready')
    } catch (error) {
      if (turn === this.#turn) this.#fail(error)
      return
    }
    if (track.duration === limits.unknownDurationMs) await this.#tellDuration(deck)
  }

  prepare(track: Track): void {
    if (this.#deck?.trackId === track.id || this.#prepared?.trackId === track.id) return
    this.#prepared?.dispose()
    this.#prepared = this.#openDeck(track)
    this.#prepared.prime(0).catch(() => undefined) // Tried again, and told, when it is loaded
  }

  async play(positionMs: number, atClientMs: number): Promise<void> {
    const turn = ++this.#turn
    const deck = this.#deck
    if (!deck) return
    const canSound = await this.#output.whenRunning()
    if (turn !== this.#turn) return
    const wanted = this.#output.frameAt(atClientMs)
    if (!canSound || wanted === null) return this.#block(positionMs)
    const startFrame = Math.max(Math.round(wanted), this.#output.earliestFrame())
    const missedFrames = Math.max(0, Math.round(startFrame - wanted))
    const positionFrame = this.#toFrames(positionMs) + missedFrames
    this.#silence(startFrame)
    this.#sound(deck, startFrame, positionFrame)
  }

  pause(positionMs: number): Promise<void> {
    this.#turn++
    this.#silence(this.#output.earliestFrame())
    this.#standingMs = positionMs
    if (this.#deck && this.#signals.status !== 'error') {
      this.#signals.setStatus('paused')
      this.#deck.prime(this.#toFrames(positionMs)).catch((error: unknown) => this.#fail(error))
    }
    return Promise.resolve()
  }

  setRate(rate: number): void {
    this.#voice?.setRate(rate)
  }

  setVolume(volume: number): void {
    this.#output.setVolume(volume)
  }

  sample(): PositionSample | null {
    if (!this.#deck) return null
    const atClientMs = wallNow()
    const frame = this.#voice && this.#output.frameAt(atClientMs)
    if (!this.#voice || frame === null) {
      return { positionMs: this.#standingMs, atClientMs, status: this.#signals.status }
    }
    const status = this.#voice.covers(frame) ? this.#signals.status : 'buffering'
    return { positionMs: this.#toMs(this.#voice.positionAt(frame)), atClientMs, status }
  }

  output(): OutputFacts {
    return this.#output.facts()
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    return this.#signals.subscribe(listener)
  }

  async unlock(): Promise<void> {
    this.#output.resume()
    await this.#output.whenRunning()
  }

  dispose(): void {
    this.#turn++
    this.#silence(this.#output.earliestFrame())
    this.#signals.close()
    this.#deck?.dispose()
    this.#prepared?.dispose()
    this.#deck = this.#prepared = null
    this.#output.close()
  }

  async #tellDuration(deck: Deck): Promise<void> {
    const durationMs = await deck.measureDuration().catch(() => null) // What is wrong with the file shows when it sounds
    if (durationMs !== null && deck === this.#deck) this.#signals.emit({ type: 'duration', durationMs })
  }

  #sound(deck: Deck, startFrame: number, positionFrame: number): void {
    const line = startLine(startFrame, positionFrame)
    const voice = new Voice(this.#output.context, this.#output.input, line, () => this.#end(voice))
    this.#voice = voice
    this.#signals.setStatus('playing')
    voice.feed(deck.blocksFrom(positionFrame)).catch((error: unknown) => {
      if (voice === this.#voice) this.#fail(error)
    })
  }

  /** After a stutter the sound goes back to where it was told to be; after a long one whoever told it knows better. */
  #catchUp(frames: number): void {
    if (Math.abs(this.#toMs(frames)) < catchUpWithinMs) this.#voice?.jump(frames)
  }

  #silence(atFrame: number): void {
    this.#voice?.stop(atFrame)
    this.#voice = null
  }

  #end(voice: Voice): void {
    if (voice !== this.#voice) return
    this.#standingMs = this.#toMs(voice.endPosition)
    this.#voice = null
    this.#signals.setStatus('ended')
  }

  #block(positionMs: number): void {
    this.#silence(this.#output.earliestFrame())
    this.#standingMs = positionMs
    this.#signals.setStatus('paused')
    this.#signals.block()
  }

  #onOutputChange(isReady: boolean): void {
    if (!isReady && this.#voice) return this.#block(this.sample()?.positionMs ?? this.#standingMs)
    if (isReady) this.#signals.unblock()
  }

  #fail(error: unknown): void {
    this.#silence(this.#output.earliestFrame())
    this.#signals.setStatus('error')
    const message = error instanceof Error ? error.message : String(error)
    this.#signals.emit({ type: 'error', message, isUnsupported: error instanceof UndecodableError })
  }

  /** The deck of a track: the one that lies on it, the prepared one, or a new one. A failed one is opened again. */
  #takeDeck(track: Track): Deck {
    const current = this.#deck
    if (current?.trackId === track.id && this.#signals.status !== 'error') return current
    current?.dispose()
    const prepared = this.#prepared?.trackId === track.id ? this.#prepared : null
    if (prepared) this.#prepared = null
    this.#deck = prepared ?? this.#openDeck(track)
    return this.#deck
  }

  #openDeck(track: Track): Deck {
    return new Deck(track.id, this.#urlOf(track), this.#output.context.sampleRate)
  }

  #toFrames(positionMs: number): number {
    return Math.round((positionMs / 1_000) * this.#output.context.sampleRate)
  }

  #toMs(frames: number): number {
    return (frames / this.#output.context.sampleRate) * 1_000
  }
}
