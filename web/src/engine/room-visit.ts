import { limits } from '@earshot/core/limits'
import { type ErrorCode, hasCode } from '@earshot/core/protocol/errors'
import type { RoomSnapshot } from '@earshot/core/protocol/entities'
import { addErrorSample, type ErrorHistory } from '@earshot/core/sync/follow/error-history'
import type { MembershipPhase } from '@earshot/core/machines/membership'
import type { ConnectionStatus } from '@earshot/core/machines/connection'
import { startServerClock, type ServerClock } from '../realtime/server-clock.ts'
import { ServerConnection } from '../realtime/server-connection.ts'
import { Outbox } from './chat/outbox.ts'
import { closedRoom } from './closed-room.ts'
import { listenToExternalCommands } from './device/external-commands.ts'
import { showMediaControls } from './device/media-controls.ts'
import { RoomMembership } from './membership.ts'
import { fetchMissingQueue, fetchMissingTracks } from './missing-data.ts'
import { createPeriodicReports, type PeriodicReports } from './periodic-reports.ts'
import { listServers } from './realtime-servers.ts'
import { fetchRestOfQueue } from './rest-of-queue.ts'
import { createRoomActions, requestSync, type RoomActions, type RoomParts } from './room-actions.ts'
import { createPlayabilityReports, type PlayabilityReports } from './playability/playability.ts'
import {
  createSpotifyAccess,
  followSpotifyAccount,
  type SpotifyAccess,
} from './playability/spotify-access.ts'
import { keepOneTabSounding } from './device/one-sounding-tab.ts'
import { type PageClocks, TimelineConfirmation } from './playback/timeline-confirmation.ts'
import { PlayerLoop, type FollowReport } from './playback/player-loop.ts'
import { type RoomToFollow, toRoomToFollow } from './playback/room-to-follow.ts'
import { createPlaylistImports, type PlaylistImports } from './import/playlist-import.ts'
import { dropRecoveryCopy, keepRecoveryCopy, openRoomStore } from './state/recovery-copy.ts'
import { update, watch, type RoomState, type RoomStore, clearRoom } from './state/room-state.ts'
import { applyFollowReport, applySnapshot, forgetOrder, listenToRoom } from './state/server-updates.ts'
import { watchRefusedSound } from './refused-sound.ts'
import { createBrowserPlayers, preloadPlayer } from '../players/browser-players.ts'
import { createVideoSurface } from '../players/youtube/video-surface.ts'
import { wallNow } from '../wall-clock.ts'

/**
 * One visit to a room: connection, clock, membership, player and state, from opening the room to leaving it. Enters
 * at once.
 */
export class RoomVisit implements RoomParts {
  readonly roomId: string
  readonly userId: string
  readonly store: RoomStore
  readonly connection: ServerConnection
  readonly clock: ServerClock
  readonly membership: RoomMembership
  readonly player: PlayerLoop
  readonly imports: PlaylistImports
  readonly outbox: Outbox
  /** Where the page shows the video player. */
  readonly videoSurface = createVideoSurface()
  /** Always the same object. */
  readonly actions: RoomActions
  lastSentAtMs: number | null = null
  readonly #reports: PeriodicReports
  readonly #playability: PlayabilityReports
  readonly #spotify: SpotifyAccess
  readonly #stops: (() => void)[]
  readonly #left = new AbortController()
  #hasConnectionFailed = false
  readonly #confirmation: TimelineConfirmation
  #errors: ErrorHistory = []

  constructor(roomId: string, userId: string) {
    const { store, copySavedAtMs } = openRoomStore(roomId, userId)
    this.roomId = roomId
    this.userId = userId
    this.store = store
    this.connection = new ServerConnection({
      onStatus: (status) => this.#onStatus(status),
      onConnected: (server) => this.clock.onConnected(server),
    })
    this.clock = startServerClock({
      sendProbe: (time) => this.connection.call('ping', { time }, { timeoutMs: limits.pingTimeoutMs }),
      onProbe: (rttMs) => this.#onProbe(rttMs),
      random: Math.random,
    })
    this.#reports = createPeriodicReports(this, (error) => this.#onRefusedReport(error))
    this.membership = new RoomMembership({
      roomId,
      userId,
      connection: this.connection,
      onJoined: (snapshot) => this.#onJoined(snapshot),
      onPhase: (phase, joinError, retryAtMs) => this.#onPhase(phase, joinError, retryAtMs),
      onLeft: () => dropRecoveryCopy(roomId),
    })
    this.#spotify = createSpotifyAccess(userId, () => this.#onAccess())
    this.#confirmation = new TimelineConfirmation({
      isRestored: copySavedAtMs !== null,
      request: () => this.#requestTimeline(),
      onConfirmed: () => this.player.wake(),
      signal: this.#left.signal,
    })
    this.player = this.#createPlayerLoop()
    this.#playability = createPlayabilityReports(this, (track) => this.player.unplayableReason(track))
    this.outbox = new Outbox({
      roomId,
      store,
      connection: this.connection,
      onLost: () => this.membership.onLost(),
    })
    this.actions = createRoomActions(this)
    this.imports = createPlaylistImports(roomId)
    this.#stops = [...this.#followServer(), ...this.#followDevice(), ...this.#followStore()]
    void this.#enter(copySavedAtMs)
  }

  /** Leaves the room: silence at once; the connection closes after the server has been notified. Idempotent. */
  leave(): void {
    if (this.#left.signal.aborted) return
    this.#left.abort()
    for (const stop of this.#stops) stop()
    this.player.dispose()
    this.imports.stop()
    this.outbox.stop()
    this.clock.stop()
    void this.membership.leave().finally(() => this.connection.close())
  }

  /** How well the player followed over the last minutes. */
  errorHistory(): ErrorHistory {
    return this.#errors
  }

  #followServer(): (() => void)[] {
    const { roomId, store, connection } = this
    return [
      // Before the store is changed, which wakes the player.
      connection.on('playback_updated', () => this.#confirmation.noteTimeline(pageClocks())),
      listenToRoom(roomId, connection, store),
      connection.on('removed_from_room', (removed) => {
        if (removed.roomId === roomId) this.membership.onRemoved(removed.reason)
      }),
      connection.on('room_closed', (closed) =>
        closedRoom.setState({ roomId: closed.roomId, name: store.getState().room?.name ?? null }, true),
      ),
    ]
  }

  #followDevice(): (() => void)[] {
    const { roomId, userId, store, player } = this
    return [
      showMediaControls(this),
      keepOneTabSounding(userId, store),
      listenToExternalCommands((command) => player.applyExternal(command)),
      keepRecoveryCopy(roomId, store, this.clock),
    ]
  }

  /** Enters the room and connects to the configured realtime servers. */
  async #enter(copySavedAtMs: number | null): Promise<void> {
    const left = this.#left.signal
    this.membership.enter(copySavedAtMs)
    this.#stops.push(fetchMissingTracks(this.store), watchRefusedSound(this.store))
    preloadPlayer()
    const servers = await listServers(left)
    if (!left.aborted) this.connection.open(servers)
  }

  #createPlayerLoop(): PlayerLoop {
    const { roomId, store, clock, connection } = this
    return new PlayerLoop({
      players: createBrowserPlayers(this.videoSurface),
      clock,
      initialVolume: audibleVolume(store.getState()),
      readRoom: () => this.#readRoom(),
      onReport: (report) => this.#onFollowReport(report),
      onBlockedChange: (isSoundBlocked) => store.setState({ isSoundBlocked }),
      onCueReady(sequenceNumber) {
        const { trackId } = store.getState().confirmed.timeline
        if (trackId === null) return
        // If it gets lost, the room starts without waiting for this listener.
        connection.call('track_ready', { roomId, trackId, sequenceNumber }).catch(() => undefined)
      },
      onNextReady(sequenceNumber, trackId) {
        // A substitute is no track of the room.
        if (store.getState().confirmed.queue[0]?.id !== trackId) return
        const ready = { roomId, trackId, sequenceNumber, isNext: true }
        connection.call('track_ready', ready).catch(() => undefined)
      },
      onDuration: (trackId, durationMs) => this.#reports.onDuration(trackId, durationMs),
      listenerReason: ({ source }) => (source === 'spotify' ? this.#spotify.reason() : null),
      onUnsupported: (reason) => {
        this.#spotify.onUnsupported(reason)
        this.#playability.refresh()
      },
      onTakenOver: (by) => store.setState(by ? { ownSound: 'paused' } : { isSpotifyElsewhere: true }),
      onFailureChange: (hasSoundFailed, soundRetryAtMs) => store.setState({ hasSoundFailed, soundRetryAtMs }),
      onMissingChange: (isPlayerMissing) => store.setState({ isPlayerMissing }),
      onPlayableAgain: () => this.#playability.refresh(),
    })
  }

  #readRoom(): RoomToFollow {
    this.#confirmation.check(pageClocks())
    const isOutdated = this.#confirmation.isOutdated(this.clock.state())
    return { ...toRoomToFollow(this.store.getState()), isOutdated }
  }

  async #requestTimeline(): Promise<void> {
    this.clock.remeasure()
    if (this.store.getState().confirmed.timeline.isPlaying) await requestSync(this, { forceSync: true })
  }

  #onStatus(connection: ConnectionStatus): void {
    this.#hasConnectionFailed ||= connection === 'disconnected' || connection === 'disabled'
    this.store.setState({ connection })
    if (connection === 'connected') return this.membership.onConnected()
    update(this.store, forgetOrder)
    this.membership.onDisconnected()
  }

  /** A first attempt to connect shows as loading; only a failed connection has a screen of its own. */
  #onPhase(
    membershipPhase: MembershipPhase,
    joinError: ErrorCode | null,
    joinRetryAtMs: number | null,
  ): void {
    const { connection, phase: phaseBefore } = this.store.getState()
    const isFirstAttempt = connection !== 'connected' && !this.#hasConnectionFailed
    const phase = membershipPhase === 'connecting' && isFirstAttempt ? 'loading' : membershipPhase
    const hadRoom = phaseBefore === 'joined'
    this.store.setState({ phase, joinError, joinRetryAtMs })
    if (!hadRoom || phase !== 'not_found') return
    // A room that refuses this user is heard no more, and nothing more of it is requested.
    update(this.store, clearRoom)
    this.player.release()
  }

  #onProbe(rttMs: number | null): void {
    this.connection.noteLatency(rttMs)
    this.player.wake()
  }

  #onJoined(snapshot: RoomSnapshot): void {
    this.#confirmation.noteTimeline(pageClocks())
    const joinedAtMs = snapshot.serverTime
    update(this.store, (state) => ({
      ...applySnapshot(state, snapshot),
      activity: { ...state.activity, joinedAtMs },
    }))
    this.#reports.restart()
    this.#playability.restart()
    this.outbox.flush()
  }

  #onFollowReport(report: FollowReport): void {
    update(this.store, (state) => applyFollowReport(state, report))
    this.#reports.onTurn(report)
    const { errorMs, cause, sample } = report
    this.clock.setSounding(sample?.status === 'playing')
    const error = { atMs: wallNow(), errorMs, cause, isHidden: document.hidden }
    this.#errors = addErrorSample(this.#errors, error)
  }

  /** Rejoins; where the room was deleted, that says so. */
  #onRefusedReport(error: unknown): void {
    if (hasCode(error, 'not_a_member', 'room_not_found')) this.membership.onLost()
  }

  #followStore(): (() => void)[] {
    const { store, player } = this
    return [
      watch(store, ['volume', 'isMuted'], (state) => player.setVolume(audibleVolume(state))),
      watch(store, ['substitutes', 'nudgesMs', 'ownSound', 'isSpotifyElsewhere'], () => player.wake()),
      watch(store, ['confirmed'], ({ confirmed }, { confirmed: before }) => {
        if (confirmed.timeline !== before.timeline || confirmed.track !== before.track) player.wake()
        this.#playability.refresh()
      }),
      fetchMissingQueue(this, (error) => this.#onRefusedReport(error)),
      fetchRestOfQueue(this),
      followSpotifyAccount(store, this.#spotify),
    ]
  }

  #onAccess(): void {
    this.player.wake()
    this.#playability.refresh()
  }
}

const pageClocks = (): PageClocks => ({ wallMs: wallNow(), systemMs: Date.now() })

const audibleVolume = ({ volume, isMuted }: Pick<RoomState, 'volume' | 'isMuted'>): number =>
  isMuted ? 0 : volume
