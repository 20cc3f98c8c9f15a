import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import type { Track } from '@earshot/core/protocol/entities'
import type { PlayerCapabilities, PositionSample, PlayerStatus } from '@earshot/core/sync/follow/player-state'

/**
 * A device that plays one track at a time. Positions, durations and instants in ms; instants are on the client's
 * monotonic wall clock (`performance.timeOrigin + performance.now()`); volume 0..1. Calls never throw for what a
 * listener can meet (network, autoplay, broken files): they are told as events.
 */
export interface Player {
  readonly capabilities: PlayerCapabilities
  /** Loads and buffers at a position, paused; resolves when it could play from there at once. */
  load(track: Track, positionMs: number): Promise<void>
  /** Fetches what the start of a track needs, while another one plays. Only the latest call counts. */
  prepare(track: Track): void
  /** Sounds from `positionMs` at `atClientMs` (at once, where that has passed or the player cannot schedule). */
  play(positionMs: number, atClientMs: number): Promise<void>
  /** Stops sounding and stands at `positionMs`. */
  pause(positionMs: number): Promise<void>
  setRate(rate: number): void
  setVolume(volume: number): void
  /** Where it is now; null while nothing is loaded. */
  sample(): PositionSample | null
  /** What it knows of its sound device; only of players that sound through an audio context. */
  output?(): OutputFacts
  /** Calls back on every event until the returned function is called. */
  subscribe(listener: (event: PlayerEvent) => void): () => void
  /** To be called from a click or key press: makes the browser allow sound. */
  unlock(): Promise<void>
  /** Releases the device for good. */
  dispose(): void
}

export type PlayerEvent =
  | { type: 'status'; status: PlayerStatus }
  | { type: 'blocked' }
  | { type: 'unblocked' }
  /** Of a track of which nobody knew it (9.15). */
  | { type: 'duration'; durationMs: number }
  /** `isUnsupported`: this player can never play this track, another one perhaps can. */
  | { type: 'error'; message: string; isUnsupported: boolean }
