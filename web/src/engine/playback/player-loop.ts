import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { follow } from '@earshot/core/sync/follow/follow'
import {
  initialFollowHistory,
  type FollowAction,
  type FollowCause,
  type FollowHistory,
} from '@earshot/core/sync/follow/follow-state'
import type { DeviceFacts } from '@earshot/core/diagnosis/facts'
import type { PlayerKind } from '@earshot/core/protocol/socket-events'
import type { PositionSample } from '@earshot/core/sync/follow/player-state'
import { positionAt, type Timeline } from '@earshot/core/sync/timeline'
import type { CreatePlayer } from '../../players/choose-player.ts'
import type { Player, PlayerEvent } from '../../players/player.ts'
import type { ServerClock } from '../../realtime/server-clock.ts'
import { wallNow } from '../../realtime/wall-clock.ts'
import type { PlayerOrder } from '../external-commands.ts'
import { createPlayerSlot, type PlayerSlot } from './player-slot.ts'

/** What the room's player is to follow: as the server confirmed it, never what the page merely expects. */
export interface RoomToFollow {
  timeline: Timeline
  /** The timeline's track; null while it is being fetched. */
  track: Track | null
  /** What comes after it. */
  nextTrack: Track | null
  /** How much this device's sound is held back, in ms. */
  nudgeMs: number
}

/** How a turn found the player. */
export interface FollowReport {
  errorMs: number | null
  cause: FollowCause
  /** Where it was, without the listener's own nudge. */
  sample: PositionSample | null
  /** What plays here; null where nothing does. */
  player: PlayerKind | null
}

export interface RoomPlayerParts {
  createPlayer: CreatePlayer
  clock: Pick<ServerClock, 'state' | 'serverNow'>
  initialVolume: number
  readRoom: () => RoomToFollow
  onReport: (report: FollowReport) => void
  onBlockedChange: (isBlocked: boolean) => void
  /** A cued track is loaded and buffered. */
  onCueReady: (trackId: string, sequenceNumber: number) => void
  /** The player found out how long the track is that it has loaded. */
  onDuration: (trackId: string, durationMs: number) => void
}

/** Corrections are better for positions that are read twice as often as they have to be (4.20a). */
const turnMs = limits.positionPollMs / 2
const errorRetryMs = 5_000
const prepareBeforeEndMs = 30_000

/** Keeps this listener's sound where the room is: `follow` decides, four times a second, and this carries it out. */
export class RoomPlayer {
  readonly #parts: RoomPlayerParts
  readonly #slot: PlayerSlot
  #history: FollowHistory = initialFollowHistory
  #loadedTrackId: string | null = null
  #isBlocked = false
  #isAlignRequested = false
  #error: string | null = null
  /** The cue that the server was told this player is ready for. */
  #readySequence: number | null = null
  #isDisposed = false
  #turnTimer: ReturnType<typeof setTimeout> | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: RoomPlayerParts) {
    this.#parts = parts
    this.#slot = createPlayerSlot({
      createPlayer: parts.createPlayer,
      initialVolume: parts.initialVolume,
      onChange: () => this.#startAnew(),
      onEvent: (event) => this.#onPlayerEvent(event),
    })
    this.wake()
  }

  /** Something changed: decide now instead of at the next turn. */
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
   * Does what the timeline does not ask for (4.19e), where there is a player with a track. At one of the next turns the room
   * has the last word again.
   */
  obey({ isPlaying, positionMs }: PlayerOrder): void {
    const player = this.#slot.current()
    const sample = player?.sample()
    if (!player || !sample || this.#loadedTrackId === null) return
    const toMs = positionMs ?? sample.positionMs
    if (isPlaying ?? sample.status === 'playing') void player.play(toMs, wallNow())
    else void player.pause(toMs)
  }

  /** To be called from a click or key press: lets the browser play sound. */
  async unlock(): Promise<void> {
    await this.#slot.current()?.unlock()
  }

  /** What plays here, and on what; null while nothing does. */
  device(): DeviceFacts | null {
    const player = this.#slot.current()
    if (!player) return null
    const status = player.sample()?.status ?? null
    const error = status === 'error' ? this.#error : null
    return { capabilities: player.capabilities, status, error, output: player.output?.() ?? null }
  }

  /** 0..1 as the listener sets it. */
  setVolume(volume: number): void {
    this.#slot.setVolume(volume)
  }

  /** Silence, for good. */
  dispose(): void {
    this.#isDisposed = true
    clearTimeout(this.#turnTimer)
    clearTimeout(this.#retryTimer)
    this.#slot.dispose()
  }

  /** Returns when the next turn is needed, where that may be before it is due. */
  #turn(): number | null {
    const room = this.#parts.readRoom()
    const { timeline, track, nextTrack } = room
    const player = timeline.source ? this.#slot.take(timeline.source) : this.#slot.current()
    const isTrackMissing = timeline.trackId !== null && track === null
    if (!player || isTrackMissing) {
      const cause = timeline.trackId === null ? 'paused' : 'buffering'
      this.#parts.onReport({ errorMs: null, cause, sample: null, player: null })
      return null
    }
    const wakeAtMs = this.#follow(player, room)
    this.#sayWhenReady(player, timeline)
    if (nextTrack && isNearEnd(timeline, this.#parts.clock.serverNow())) player.prepare(nextTrack)
    return wakeAtMs
  }

  #follow(player: Player, { timeline, track, nudgeMs }: RoomToFollow): number | null {
    const sample = player.sample()
    const outcome = follow({
      nowMs: wallNow(),
      timeline,
      clock: this.#parts.clock.state(),
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
    this.#carryOut(player, outcome.action, track)
    const unnudged = sample && { ...sample, positionMs: sample.positionMs + nudgeMs }
    const { errorMs, cause } = outcome
    this.#parts.onReport({ errorMs, cause, sample: unnudged, player: player.capabilities.profile })
    return outcome.wakeAtMs
  }

  #carryOut(player: Player, action: FollowAction, track: Track | null): void {
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

  #sayWhenReady(player: Player, { trackId, isCueing, sequenceNumber }: Timeline): void {
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
    // Not within the player's own call, which may be in the middle of something.
    queueMicrotask(() => this.wake())
  }

  #retry(isUnsupported: boolean): void {
    if (isUnsupported) this.#slot.takeSecondChoice()
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => {
      this.#loadedTrackId = null
      this.wake()
    }, errorRetryMs)
  }

  /** Another player is at hand, with nothing loaded. */
  #startAnew(): void {
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
