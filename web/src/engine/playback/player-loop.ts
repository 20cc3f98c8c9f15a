import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { initialClock } from '@earshot/core/sync/clock/clock-offset'
import { follow } from '@earshot/core/sync/follow/follow'
import {
  initialFollowHistory,
  notCompared,
  type FollowAction,
  type FollowHistory,
  type FollowOutcome,
} from '@earshot/core/sync/follow/follow-state'
import type { DeviceFacts } from '@earshot/core/diagnosis/facts'
import type { PlayerKind } from '@earshot/core/protocol/socket-events'
import type { PositionSample } from '@earshot/core/sync/follow/player-state'
import { positionAt, type Timeline } from '@earshot/core/sync/timeline'
import type { Player, PlayerEvent } from '../../players/player.ts'
import { type ServerClock, wallNow } from '../../realtime/server-clock.ts'
import type { ExternalCommand } from '../external-commands.ts'
import { createPlayerSlot, type PlayerSlot, type CreatePlayer } from '../../players/player-slot.ts'

/** The room as the server confirmed it, without the page's own predictions. */
export interface RoomToFollow {
  timeline: Timeline
  /** The timeline's track; null while it is being fetched. */
  track: Track | null
  nextTrack: Track | null
  /** Delay of this device's sound in ms. */
  nudgeMs: number
  /** The timeline comes from the recovery copy, and the server has not confirmed it yet. */
  isRestored: boolean
}

/** The state of the player at one turn. */
export interface FollowReport extends Pick<FollowOutcome, 'errorMs' | 'uncertaintyMs' | 'cause'> {
  /** Its position, without the listener's own nudge. */
  sample: PositionSample | null
  /** The kind of player in use, or null. */
  player: PlayerKind | null
}

export interface PlayerLoopParts {
  createPlayer: CreatePlayer
  clock: Pick<ServerClock, 'state' | 'serverNow'>
  initialVolume: number
  readRoom: () => RoomToFollow
  onReport: (report: FollowReport) => void
  onBlockedChange: (isBlocked: boolean) => void
  /** A cued track is loaded and buffered. */
  onCueReady: (trackId: string, sequenceNumber: number) => void
  /** The player measured the duration of its loaded track. */
  onDuration: (trackId: string, durationMs: number) => void
}

/** Positions are read twice as often as required (4.20a), which makes corrections more accurate. */
const turnMs = limits.positionPollMs / 2
const errorRetryMs = 5_000
const prepareBeforeEndMs = 30_000

/** Keeps this listener's sound in sync with the room: carries out the decisions of `follow`, four times a second. */
export class PlayerLoop {
  readonly #parts: PlayerLoopParts
  readonly #slot: PlayerSlot
  #history: FollowHistory = initialFollowHistory
  #loadedTrackId: string | null = null
  #isBlocked = false
  #isAlignRequested = false
  #error: string | null = null
  /** The cue that was last reported as ready. */
  #readySequence: number | null = null
  #isDisposed = false
  #turnTimer: ReturnType<typeof setTimeout> | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: PlayerLoopParts) {
    this.#parts = parts
    this.#slot = createPlayerSlot({
      createPlayer: parts.createPlayer,
      initialVolume: parts.initialVolume,
      onChange: () => this.#onPlayerChange(),
      onEvent: (event) => this.#onPlayerEvent(event),
    })
    this.wake()
  }

  /** Decides now instead of at the next turn. */
  wake(): void {
    clearTimeout(this.#turnTimer)
    if (this.#isDisposed) return
    this.#turnTimer = setTimeout(() => this.wake(), turnMs)
    const wakeAtMs = this.#turn()
    if (wakeAtMs === null) return
    clearTimeout(this.#turnTimer)
    this.#turnTimer = setTimeout(() => this.wake(), Math.max(0, Math.min(turnMs, wakeAtMs - wallNow())))
  }

  /** Aligns at once (4.20d). */
  align(): void {
    this.#isAlignRequested = true
    this.wake()
  }

  /**
   * Carries out a command from outside the app (4.19e) if a track is loaded. One of the next turns brings the player back to
   * the room's timeline.
   */
  applyExternal({ isPlaying, positionMs }: ExternalCommand): void {
    const player = this.#slot.current()
    const sample = player?.sample()
    if (!player || !sample || this.#loadedTrackId === null) return
    const toMs = positionMs ?? sample.positionMs
    if (isPlaying ?? sample.status === 'playing') void player.play(toMs, wallNow())
    else void player.pause(toMs)
  }

  /** Lets the browser play sound. Must be called from a click or key press. */
  async unlock(): Promise<void> {
    await this.#slot.current()?.unlock()
  }

  /** Describes the player and its sound device; null without a player. */
  device(): DeviceFacts | null {
    const player = this.#slot.current()
    if (!player) return null
    const status = player.sample()?.status ?? null
    const error = status === 'error' ? this.#error : null
    return { capabilities: player.capabilities, status, error, output: player.output?.() ?? null }
  }

  /** Sets the volume, 0..1. */
  setVolume(volume: number): void {
    this.#slot.setVolume(volume)
  }

  dispose(): void {
    this.#isDisposed = true
    clearTimeout(this.#turnTimer)
    clearTimeout(this.#retryTimer)
    this.#slot.dispose()
  }

  /** Returns when the next turn is needed if that may be before it is due, on the client's clock. */
  #turn(): number | null {
    const room = this.#parts.readRoom()
    const { timeline, track, nextTrack } = room
    const player = timeline.source ? this.#slot.require(timeline.source) : this.#slot.current()
    const isTrackMissing = timeline.trackId !== null && track === null
    if (!player || isTrackMissing) {
      const cause = timeline.trackId === null ? 'paused' : 'buffering'
      this.#parts.onReport({ ...notCompared, cause, sample: null, player: null })
      return null
    }
    const wakeAtMs = this.#follow(player, room)
    this.#reportReady(player, timeline)
    if (nextTrack && isNearEnd(timeline, this.#parts.clock.serverNow())) player.prepare(nextTrack)
    return wakeAtMs
  }

  #follow(player: Player, { timeline, track, nudgeMs, isRestored }: RoomToFollow): number | null {
    const sample = player.sample()
    const outcome = follow({
      nowMs: wallNow(),
      timeline,
      // A restored timeline may be outdated, so it is only loaded: without a clock nothing sounds.
      clock: isRestored ? initialClock : this.#parts.clock.state(),
      capabilities: player.capabilities,
      loadedTrackId: this.#loadedTrackId,
      sample,
      obstacle: this.#isBlocked ? 'blocked' : null,
      nudgeMs,
      isAlignRequested: this.#isAlignRequested,
      history: this.#history,
    })
    this.#isAlignRequested = false
    this.#history = outcome.history
    this.#run(player, outcome.action, track)
    const unnudged = sample && { ...sample, positionMs: sample.positionMs + nudgeMs }
    const { errorMs, uncertaintyMs, cause } = outcome
    this.#parts.onReport({
      errorMs,
      uncertaintyMs,
      cause,
      sample: unnudged,
      player: player.capabilities.profile,
    })
    return outcome.wakeAtMs
  }

  #run(player: Player, action: FollowAction, track: Track | null): void {
    switch (action.type) {
      case 'load':
        if (!track) return
        this.#loadedTrackId = action.trackId
        void player.load(track, action.positionMs)
        return
      case 'play':
      case 'alignAt':
        void player.play(action.positionMs, action.atClientMs)
        return
      case 'pause':
        void player.pause(action.positionMs)
        return
      case 'setRate':
        player.setRate(action.rate)
        return
      case 'hold':
    }
  }

  #reportReady(player: Player, { trackId, isCueing, sequenceNumber }: Timeline): void {
    if (!isCueing || trackId === null || trackId !== this.#loadedTrackId) return
    const status = player.sample()?.status
    const isReady = status === 'ready' || status === 'paused'
    if (!isReady || this.#readySequence === sequenceNumber) return
    this.#readySequence = sequenceNumber
    this.#parts.onCueReady(trackId, sequenceNumber)
  }

  #onPlayerEvent(event: PlayerEvent): void {
    if (event.type === 'blocked' || event.type === 'unblocked') {
      this.#isBlocked = event.type === 'blocked'
      this.#isAlignRequested ||= !this.#isBlocked
      this.#parts.onBlockedChange(this.#isBlocked)
    }
    if (event.type === 'duration' && this.#loadedTrackId !== null) {
      this.#parts.onDuration(this.#loadedTrackId, event.durationMs)
    }
    if (event.type === 'error') {
      this.#error = event.message
      this.#retry(event.isUnsupported)
    }
    // Deferred: the player may still be in the middle of the call that emitted the event.
    queueMicrotask(() => this.wake())
  }

  #retry(isUnsupported: boolean): void {
    if (isUnsupported) this.#slot.useFallback()
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => {
      this.#loadedTrackId = null
      this.wake()
    }, errorRetryMs)
  }

  /** Resets the history for a new player, which has nothing loaded. */
  #onPlayerChange(): void {
    clearTimeout(this.#retryTimer)
    this.#history = initialFollowHistory
    this.#loadedTrackId = null
    this.#readySequence = null
    this.wake()
  }
}

function isNearEnd(timeline: Timeline, serverNowMs: number): boolean {
  const leftMs = timeline.durationMs - positionAt(timeline, serverNowMs)
  return timeline.isPlaying && timeline.durationMs > 0 && leftMs < prepareBeforeEndMs
}
