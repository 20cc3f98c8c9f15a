import { limits } from '@earshot/core/limits'
import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import type { RoomSnapshot } from '@earshot/core/protocol/entities'
import { addErrorSample, type ErrorHistory } from '@earshot/core/sync/follow/error-history'
import type { MembershipPhase } from '@earshot/core/machines/membership'
import type { ConnectionStatus } from '@earshot/core/machines/connection'
import { callApi } from '../api/call-api.ts'
import { readPageData } from '../api/page-data.ts'
import { startServerClock, type ServerClock, wallNow } from '../realtime/server-clock.ts'
import { ServerConnection } from '../realtime/server-connection.ts'
import { Outbox, readOutgoing } from './chat/outbox.ts'
import { closedRoom } from './closed-room.ts'
import { createRoomActions, requestSync, type RoomActions, type RoomContext } from './commands.ts'
import { readMuted, readNudgesMs, readVolume } from './device/device-settings.ts'
import { listenToExternalCommands } from './device/external-commands.ts'
import { startMediaSession } from './device/media-session.ts'
import { RoomMembership } from './membership.ts'
import { createRoomReports, type RoomReports } from './periodic-reports.ts'
import {
  createPlayabilityReports,
  type PlayabilityReports,
  createSpotifyAccess,
  followSpotifyAccount,
  type SpotifyAccess,
} from './playability/playability.ts'
import { keepOneTabSounding } from './device/one-sounding-tab.ts'
import { Confirmation } from './playback/confirmation.ts'
import { PlayerLoop, type FollowReport } from './playback/player-loop.ts'
import { type RoomToFollow, toRoomToFollow } from './playback/room-to-follow.ts'
import { createPlaylistImports, type PlaylistImports } from './import/playlist-import.ts'
import { createCommandId } from './state/optimistic.ts'
import { dropRecoveryCopy, keepRecoveryCopy, readRecoveryCopy } from './state/recovery-copy.ts'
import {
  createRoomStore,
  initialRoomState,
  soundHere,
  update,
  type RoomState,
  type RoomStore,
  clearRoom,
} from './state/room-state.ts'
import { isQueueGap } from './state/queue-updates.ts'
import { applyFollowReport, applySnapshot, fetchMissingTracks, listenToRoom } from './state/server-updates.ts'
import { createBrowserPlayers, preloadPlayer } from '../players/player-slot.ts'
import { createVideoSurface } from '../players/youtube/video-surface.ts'

/**
 * One visit to a room: connection, clock, membership, player and state, from opening the room to leaving it. Enters
 * at once.
 */
export class RoomRuntime implements RoomContext {
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
  broadcastAtMs: number | null = null
  readonly #reports: RoomReports
  readonly #playability: PlayabilityReports
  readonly #spotify: SpotifyAccess
  readonly #stops: (() => void)[]
  readonly #left = new AbortController()
  #hasConnectionFailed = false
  readonly #confirmation: Confirmation
  #errors: ErrorHistory = []
  #isQueueRequested = false

  constructor(roomId: string, userId: string) {
    const settings = { volume: readVolume(), isMuted: readMuted(), nudgesMs: readNudgesMs() }
    const copy = readRecoveryCopy(roomId, userId, wallNow())
    const outgoing = readOutgoing(userId, roomId)
    const store = createRoomStore({ ...initialRoomState(userId, settings), ...copy?.room, outgoing })
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
    this.#reports = createRoomReports(this, (error) => this.#onRefusedReport(error))
    this.membership = new RoomMembership({
      roomId,
      userId,
      connection: this.connection,
      onJoined: (snapshot) => this.#onJoined(snapshot),
      onPhase: (...phase) => this.#onPhase(...phase),
      onLeft: () => dropRecoveryCopy(roomId),
    })
    this.#spotify = createSpotifyAccess(userId, () => this.#onAccess())
    const request = () => this.#requestTimeline()
    this.#confirmation = new Confirmation({ isRestored: copy !== null, request, signal: this.#left.signal })
    this.player = this.#createPlayerLoop()
    this.#playability = createPlayabilityReports(this, (track) => this.player.unplayableReason(track))
    this.outbox = new Outbox({
      roomId,
      store,
      connection: this.connection,
      createId: createCommandId,
      onLost: () => this.membership.onLost(),
    })
    this.actions = createRoomActions(this)
    this.imports = createPlaylistImports({ roomId, createId: createCommandId })
    this.#stops = [
      listenToRoom(roomId, this.connection, store),
      this.connection.on('removed_from_room', (removed) => {
        if (removed.roomId === roomId) this.membership.onRemoved(removed.reason)
      }),
      this.connection.on('room_closed', (closed) =>
        closedRoom.setState({ roomId: closed.roomId, name: store.getState().room?.name ?? null }, true),
      ),
      startMediaSession(this),
      keepOneTabSounding(roomId, userId, store),
      listenToExternalCommands((command) => this.player.applyExternal(command)),
      this.#followStore(),
      followSpotifyAccount(store, this.#spotify),
      keepRecoveryCopy(roomId, store, this.clock),
    ]
    void this.#enter(copy?.savedAtMs ?? null, this.#left.signal)
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

  /** Enters the room and connects to the configured realtime servers. */
  async #enter(copySavedAtMs: number | null, left: AbortSignal): Promise<void> {
    this.membership.enter(copySavedAtMs)
    this.#stops.push(fetchMissingTracks(this.store))
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
      onBlockedChange: (isSoundBlocked) => update(store, (state) => ({ ...state, isSoundBlocked })),
      onCueReady(_heardId, sequenceNumber) {
        const { trackId } = store.getState().confirmed.timeline
        if (trackId === null) return
        // If it gets lost, the room starts without waiting for this listener.
        connection.call('track_ready', { roomId, trackId, sequenceNumber }).catch(() => undefined)
      },
      onDuration: (trackId, durationMs) => this.#reports.onDuration(trackId, durationMs),
      reasonAgainst: ({ source }) => (source === 'spotify' ? this.#spotify.reason() : null),
      onUnsupported: (_trackId, reason) => {
        this.#spotify.onUnsupported(reason)
        this.#playability.refresh()
      },
      onTakenOver: () => update(store, (state) => ({ ...state, isSpotifyElsewhere: true })),
      onFailureChange: (hasSoundFailed, soundRetryAtMs) =>
        update(store, (state) => ({ ...state, hasSoundFailed, soundRetryAtMs })),
    })
  }

  #readRoom(): RoomToFollow {
    this.#confirmation.check({ wallMs: wallNow(), systemMs: Date.now() })
    const isOutdated = this.#confirmation.isOutdated(this.clock.state())
    return { ...toRoomToFollow(this.store.getState()), isOutdated }
  }

  async #requestTimeline(): Promise<void> {
    this.clock.remeasure()
    if (this.store.getState().confirmed.timeline.isPlaying) await requestSync(this, { forceSync: true })
  }

  #onStatus(connection: ConnectionStatus): void {
    this.#hasConnectionFailed ||= connection === 'disconnected' || connection === 'disabled'
    update(this.store, (state) => ({ ...state, connection }))
    if (connection === 'connected') this.membership.onConnected()
    else this.membership.onDisconnected()
  }

  /** A first attempt to connect shows as loading; only a failed connection has a screen of its own. */
  #onPhase(
    membershipPhase: MembershipPhase,
    joinError: ErrorCode | null,
    joinRetryAtMs: number | null,
  ): void {
    const isFirstAttempt = membershipPhase === 'connecting' && !this.#hasConnectionFailed
    const phase = isFirstAttempt ? 'loading' : membershipPhase
    const hadRoom = this.store.getState().phase === 'joined'
    update(this.store, (state) => ({ ...state, phase, joinError, joinRetryAtMs }))
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
    this.#confirmation.confirmTimeline()
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
    const { errorMs, cause, sample: position } = report
    this.clock.setSounding(position?.status === 'playing')
    const sample = { atMs: wallNow(), errorMs, cause, isHidden: document.hidden }
    this.#errors = addErrorSample(this.#errors, sample)
  }

  /** Rejoins; where the room was deleted, that says so. */
  #onRefusedReport(error: unknown): void {
    const isLost = error instanceof AppError && ['not_a_member', 'room_not_found'].includes(error.code)
    if (isLost) this.membership.onLost()
  }

  /** Applies a changed timeline, volume or nudge to the player at once. */
  #followStore(): () => void {
    return this.store.subscribe((state, before) => {
      if (audibleVolume(state) !== audibleVolume(before)) this.player.setVolume(audibleVolume(state))
      const { timeline, track } = state.confirmed
      const isSameTrack = timeline === before.confirmed.timeline && track === before.confirmed.track
      const isSameSound = state.nudgesMs === before.nudgesMs && soundHere(state) === soundHere(before)
      const isSameHeard = state.substitutes === before.substitutes
      if (!isSameTrack || !isSameSound || !isSameHeard) this.player.wake()
      if (state.confirmed !== before.confirmed) this.#playability.refresh()
      if (state.awaitedDeltas !== before.awaitedDeltas && isQueueGap(state)) this.#requestQueue()
    })
  }

  /** Requests the whole queue after a lost difference, once at a time. */
  #requestQueue(): void {
    if (this.#isQueueRequested || this.store.getState().phase !== 'joined') return
    this.#isQueueRequested = true
    requestSync(this, { forceSync: true })
      .catch((error: unknown) => this.#onRefusedReport(error))
      .finally(() => {
        this.#isQueueRequested = false
      })
  }

  #onAccess(): void {
    this.player.wake()
    this.#playability.refresh()
  }
}

const audibleVolume = ({ volume, isMuted }: RoomState): number => (isMuted ? 0 : volume)

/** The page's own origin, which is the usual answer, is worth no longer wait. */
const configTimeoutMs = 3_000

/** Lists the realtime servers to try, best first: the page's own origin where none are configured. */
async function listServers(signal: AbortSignal): Promise<readonly string[]> {
  const own = [window.location.origin]
  try {
    const { socketServers } =
      readPageData()?.config ?? (await callApi('GET /api/config', {}, { signal, timeoutMs: configTimeoutMs }))
    return socketServers.length > 0 ? socketServers : own
  } catch {
    return own
  }
}
