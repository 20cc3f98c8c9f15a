import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import type { Track } from '@earshot/core/protocol/entities'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { PlayerCapabilities, PositionSample, PlayerStatus } from '@earshot/core/sync/follow/player-state'

/**
 * Plays one track at a time. Positions, durations and instants in ms; instants are on the client's monotonic wall clock
 * (`performance.timeOrigin + performance.now()`); volume 0..1. Network, autoplay and file errors are emitted as events,
 * never thrown.
 */
export interface Player {
  readonly capabilities: PlayerCapabilities
  /**
   * Loads at a position, paused, and buffers there, or where it will play from if that is elsewhere; resolves when it
   * could play from there at once.
   */
  load(track: Track, positionMs: number, options?: LoadOptions): Promise<void>
  /** Connects to the provider ahead of the first track, without a sound; only for players that are slow to connect. */
  connect?(): Promise<void>
  /**
   * Preloads the start of the next track while another one plays: one that is due later, where that costs this one nothing.
   * Only the latest call counts. Returns whether it is loaded, by a player that can let it follow without a gap. Not for
   * players that play one track at a time.
   */
  prepare?(track: Track, due: Due): boolean
  /** Plays from `positionMs` at `atClientMs`: at once if that has passed or the player cannot schedule. */
  play(positionMs: number, atClientMs: number): Promise<void>
  /** Stops playing, at `atClientMs` if the player can schedule and else at once, and moves to `positionMs`. */
  pause(positionMs: number, atClientMs?: number): Promise<void>
  /** Stops the track before at `atClientMs`, or as soon as possible: it may sound on while another one is loaded. */
  stopBefore?(atClientMs: number): void
  setRate(rate: number): void
  setVolume(volume: number): void
  /** Reads the current position; null while nothing is loaded. */
  sample(): PositionSample | null
  /** Describes its sound device; only for players that use an audio context. */
  output?(): OutputFacts
  /** Reads how loud four bands of its sound are, low to high, each 0..1; only for players that use an audio context. */
  levels?(): readonly number[]
  /** Calls back on every event. Returns a function that unsubscribes. */
  subscribe(listener: (event: PlayerEvent) => void): () => void
  /** Makes the browser allow sound. Must be called from a click or key press. */
  unlock(): Promise<void>
  /** Releases the device for good. */
  dispose(): void
}

/** When the next track is due, if nobody skips the current one. */
export type Due = 'soon' | 'later'

export interface LoadOptions {
  /** Where it will play from, ms. Default: where it is loaded. */
  playsFromMs?: number
  /**
   * The track before sounds on until this one starts, where the player can do that: until then at most, on the client's
   * clock, or Infinity to its end. Default: it is silent at once.
   */
  beforeUntilMs?: number
  /** The track that follows, as far as is known: tracks of one album keep their levels. */
  next?: Track | null
}

/** The statuses of a player that has loaded its track. */
export const loadedStatuses: ReadonlySet<PlayerStatus> = new Set<PlayerStatus>(['ready', 'playing', 'paused'])

export type PlayerEvent =
  | { type: 'status'; status: PlayerStatus }
  | { type: 'blocked' }
  | { type: 'unblocked' }
  /** The measured duration of a track whose duration was unknown (9.15). */
  | { type: 'duration'; durationMs: number }
  /**
   * This player can never play this track, the loaded or the prepared one; another kind may. Without a reason: its
   * format.
   */
  | { type: 'unsupported'; trackId: string; reason?: UnplayableReason }
  /**
   * The account plays on another device instead, until `play` is called again; or the system paused it, though it could go
   * on: headphones were pulled out, for example.
   */
  | { type: 'taken_over'; by?: 'system' }
  /** The browser's sound under it is dead: only a new player can sound. */
  | { type: 'output_dead' }
  /** `retryAtMs`: the provider refuses until this instant, ms since the epoch. */
  | { type: 'error'; message: string; retryAtMs?: number | null }

/** Emits a player's events to its subscribers. */
export class PlayerEvents {
  readonly #listeners = new Set<(event: PlayerEvent) => void>()
  #status: PlayerStatus = 'idle'
  #isBlocked = false

  get status(): PlayerStatus {
    return this.#status
  }

  /** Whether the browser blocks its sound. */
  get isBlocked(): boolean {
    return this.#isBlocked
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  setStatus(status: PlayerStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.emit({ type: 'status', status })
  }

  /** Emits `blocked` again for a blocked player: each attempt to play is answered. */
  block(): void {
    this.#isBlocked = true
    this.emit({ type: 'blocked' })
  }

  unblock(): void {
    if (!this.#isBlocked) return
    this.#isBlocked = false
    this.emit({ type: 'unblocked' })
  }

  emit(event: PlayerEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Removes all subscribers. */
  close(): void {
    this.#listeners.clear()
  }
}
