import { limits } from '@earshot/core/limits'
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
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { PlayerKind } from '@earshot/core/protocol/sync-report'
import type { Latencies, PositionSample } from '@earshot/core/sync/follow/player-state'
import type { Timeline } from '@earshot/core/sync/timeline'
import { unlockAudio } from '../../players/library/output/audio-context.ts'
import { loadedStatuses, type Player, type PlayerEvent } from '../../players/player.ts'
import type { ServerClock } from '../../realtime/server-clock.ts'
import type { ExternalCommand } from '../device/external-commands.ts'
import { type PlayerFailure, createPlayerFailure } from './player-failure.ts'
import { type ReadyReports, type ReadyReportsParts, createReadyReports } from './ready-reports.ts'
import { currentTrack, isIdle, loadOptions, type RoomToFollow, stopTrackBefore } from './room-to-follow.ts'
import {
  createPlayerSlot,
  type PlayerSlot,
  type PlayerSlotParts,
  type PlayerFactory,
  type TrackToPlay,
} from '../../players/player-slot.ts'
import { wallNow } from '../../wall-clock.ts'

/** The state of the player at one turn. */
export interface FollowReport extends Pick<FollowOutcome, 'errorMs' | 'uncertaintyMs' | 'cause'> {
  /** Its position, without the listener's own nudge. */
  sample: PositionSample | null
  /** The kind of player in use, or null. */
  player: PlayerKind | null
}

type SlotParts = 'initialVolume' | 'listenerReason' | 'onMissingChange' | 'onPlayableAgain'
interface PlayerLoopParts extends Pick<PlayerSlotParts, SlotParts>, ReadyReportsParts {
  players: PlayerFactory
  clock: Pick<ServerClock, 'state' | 'serverNow'>
  readRoom: () => RoomToFollow
  onReport: (report: FollowReport) => void
  onBlockedChange: (isBlocked: boolean) => void
  /** The player measured the duration of its loaded track. */
  onDuration: (trackId: string, durationMs: number) => void
  /** A player turned out to be unable to play a track. */
  onUnsupported: (reason: UnplayableReason) => void
  /** The listener's account at the provider plays on another device instead, or the system paused the sound. */
  onTakenOver: (by?: 'system') => void
  /** The player failed and tries again (in vain before `retryAtMs`), or plays again. */
  onFailureChange: (hasFailed: boolean, retryAtMs: number | null) => void
}

/** Positions are read twice as often as required (4.20a), which makes corrections more accurate. */
const turnMs = limits.positionPollMs / 2
/** In a room that neither plays nor is about to; changes wake it. */
const idleTurnMs = limits.positionPollMs

/** Keeps this listener's sound in sync with the room: carries out the decisions of `follow`, four times a second. */
export class PlayerLoop {
  readonly #parts: PlayerLoopParts
  readonly #slot: PlayerSlot
  #history: FollowHistory = initialFollowHistory
  #loadedTrackId: string | null = null
  /** As measured of each kind of player. */
  readonly #latencies = new Map<PlayerKind, Latencies>()
  #isBlocked = false
  #isAd = false
  #isAlignRequested = false
  readonly #failure: PlayerFailure
  readonly #ready: ReadyReports
  #latestTimeline: Timeline | null = null
  #isDisposed = false
  #turnTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: PlayerLoopParts) {
    this.#parts = parts
    this.#failure = createPlayerFailure({
      onChange: parts.onFailureChange,
      onRetry: () => {
        this.#loadedTrackId = null
        this.wake()
      },
    })
    this.#slot = createPlayerSlot({
      ...parts,
      factory: parts.players,
      onChange: () => this.#onPlayerChange(),
      onEvent: (event) => this.#onPlayerEvent(event),
    })
    this.#ready = createReadyReports(parts, this.#slot, () => parts.clock.serverNow())
    this.wake()
  }

  /** Decides now instead of at the next turn. */
  wake(): void {
    clearTimeout(this.#turnTimer)
    if (this.#isDisposed) return
    const nextTurnMs = isIdle(this.#parts.readRoom()) ? idleTurnMs : turnMs
    this.#turnTimer = setTimeout(() => this.wake(), nextTurnMs)
    const wakeAtMs = this.#turn()
    if (wakeAtMs === null) return
    clearTimeout(this.#turnTimer)
    this.#turnTimer = setTimeout(() => this.wake(), Math.max(0, Math.min(nextTurnMs, wakeAtMs - wallNow())))
  }

  /** Aligns at once (4.20d). */
  align(): void {
    this.#isAlignRequested = true
    this.wake()
  }

  /** Carries out a command from outside the app (4.19e) if a track is loaded, until a turn brings the player back. */
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
    unlockAudio()
    await this.#slot.current()?.unlock()
  }

  /** Returns why this listener cannot play a track; null if a player can, as far as is known. */
  unplayableReason(track: TrackToPlay): UnplayableReason | null {
    return this.#slot.unplayableReason(track)
  }

  /** Describes the player and its sound device; null without a player. */
  device(): DeviceFacts | null {
    const player = this.#slot.current()
    if (!player) return null
    const status = player.sample()?.status ?? null
    const error = status === 'error' ? this.#failure.message() : null
    return { capabilities: player.capabilities, status, error, output: player.output?.() ?? null }
  }

  /** Reads how loud four bands of the sound are, each 0..1; null for a player whose sound is out of reach. */
  levels(): readonly number[] | null {
    return this.#slot.current()?.levels?.() ?? null
  }

  /** Sets the volume, 0..1. */
  setVolume(volume: number): void {
    this.#slot.setVolume(volume)
  }

  dispose(): void {
    this.#isDisposed = true
    clearTimeout(this.#turnTimer)
    this.#failure.recover()
    this.release()
  }

  /** Stops the player and what it requests; the next track gets a new one. */
  readonly release = (): void => this.#slot.release()

  /** Returns when the next turn is needed if that may be before it is due, on the client's clock. */
  #turn(): number | null {
    const room = this.#parts.readRoom()
    const { timeline, track } = room
    this.#ready.note(timeline)
    if (room.isPausedHere) return this.#pauseHere(room)
    const current = currentTrack(timeline)
    const player = current ? this.#slot.require(current) : this.#slot.current()
    if (!player || (current && !track)) {
      const isUnplayable = current !== null && this.#slot.unplayableReason(current) !== null
      const cause = current === null ? 'paused' : isUnplayable ? 'unplayable' : 'buffering'
      this.#parts.onReport({ ...notCompared, cause, sample: null, player: null })
      if (isUnplayable) this.#ready.reportCue(timeline)
      return null
    }
    const { cause, wakeAtMs } = this.#follow(player, room)
    // The next track waits, too: it would compete with the first sound of a listener who joins.
    if (this.#isReady(player, timeline, cause)) this.#ready.onLoaded(room)
    return wakeAtMs
  }

  /** Silent until the listener wants to hear the room again, which is then aligned like a join. */
  #pauseHere(room: RoomToFollow): null {
    this.#silence()
    this.#parts.onReport({ ...notCompared, cause: 'paused', sample: null, player: null })
    this.#ready.onNotHeard(room)
    return null
  }

  /** Pauses the sound; the next one is aligned like a join. */
  #silence(): void {
    const player = this.#slot.current()
    const sample = player?.sample()
    const isSounding = sample?.status === 'playing' || sample?.status === 'buffering'
    if (isSounding) void player?.pause(sample.positionMs)
    player?.stopBefore?.(0)
    this.#isAlignRequested = true
  }

  #follow(player: Player, room: RoomToFollow): FollowOutcome {
    const { timeline, nudgeMs, isOutdated } = room
    if (isOutdated) this.#silence()
    const sample = player.sample()
    const isAd = sample?.isAd ?? false
    // After an advertisement the player is somewhere else.
    if (this.#isAd && !isAd) this.#isAlignRequested = true
    this.#isAd = isAd
    stopTrackBefore(player, timeline, this.#parts.clock.state())
    const outcome = follow({
      nowMs: wallNow(),
      timeline,
      // It is only loaded: without a clock nothing sounds.
      clock: isOutdated ? initialClock : this.#parts.clock.state(),
      capabilities: player.capabilities,
      loadedTrackId: this.#loadedTrackId,
      sample,
      obstacle: this.#isBlocked ? 'blocked' : isAd ? 'ad' : null,
      nudgeMs,
      isAlignRequested: this.#isAlignRequested,
      history: this.#history,
    })
    this.#isAlignRequested = false
    this.#history = outcome.history
    this.#latencies.set(player.capabilities.profile, outcome.history.latencies)
    this.#run(player, outcome.action, room)
    this.#latestTimeline = timeline
    const unnudged = sample && { ...sample, positionMs: sample.positionMs + nudgeMs }
    const { errorMs, uncertaintyMs, cause } = outcome
    const { profile } = player.capabilities
    this.#parts.onReport({ errorMs, uncertaintyMs, cause, sample: unnudged, player: profile })
    return outcome
  }

  #run(player: Player, action: FollowAction, room: RoomToFollow): void {
    switch (action.type) {
      case 'load':
        if (!room.track) return
        const before = { timeline: this.#latestTimeline, clock: this.#parts.clock.state() }
        this.#failure.cancelRetry()
        this.#loadedTrackId = action.trackId
        void player.load(room.track, action.positionMs, loadOptions(action, room, before))
        return
      case 'play':
      case 'alignAt':
        void player.play(action.positionMs, action.atClientMs)
        return
      case 'pause':
        void player.pause(action.positionMs, action.atClientMs)
        return
      case 'setRate':
        player.setRate(action.rate)
        return
      case 'hold':
    }
  }

  #isReady(player: Player, { trackId, isCueing }: Timeline, cause: FollowOutcome['cause']): boolean {
    const status = player.sample()?.status ?? 'idle'
    if (trackId !== this.#loadedTrackId) return false
    if (isCueing && (status === 'playing' || cause === 'no_clock')) return false
    return loadedStatuses.has(status)
  }

  #onPlayerEvent(event: PlayerEvent): void {
    if (event.type === 'blocked' || event.type === 'unblocked') {
      this.#isBlocked = event.type === 'blocked'
      this.#isAlignRequested ||= !this.#isBlocked
      this.#parts.onBlockedChange(this.#isBlocked)
    }
    if (event.type === 'duration' && this.#loadedTrackId !== null)
      this.#parts.onDuration(this.#loadedTrackId, event.durationMs)
    if (event.type === 'unsupported') {
      const { trackId, reason = 'format' } = event
      this.#slot.reject(trackId, reason)
      this.#parts.onUnsupported(reason)
    }
    if (event.type === 'taken_over') this.#parts.onTakenOver(event.by)
    if (event.type === 'error') this.#failure.fail(event.message, event.retryAtMs)
    if (event.type === 'status' && loadedStatuses.has(event.status)) this.#failure.recover()
    // Deferred: the player may still be in the middle of the call that emitted the event.
    queueMicrotask(() => this.wake())
  }

  /** Resets the state for a new player, which has nothing loaded and is not blocked yet. */
  #onPlayerChange(): void {
    this.#failure.recover()
    if (this.#isBlocked) this.#parts.onBlockedChange(false)
    this.#isBlocked = this.#isAd = false
    const kind = this.#slot.current()?.capabilities.profile
    const latencies = (kind && this.#latencies.get(kind)) ?? initialFollowHistory.latencies
    this.#history = { ...initialFollowHistory, latencies }
    this.#loadedTrackId = null
    this.wake()
  }
}
