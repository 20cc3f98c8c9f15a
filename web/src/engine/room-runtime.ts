import { limits } from '@earshot/core/limits'
import type { ConnectionStatus } from '@earshot/core/machines/connection-state'
import { AppError } from '@earshot/core/protocol/errors'
import type { RoomSnapshot } from '@earshot/core/protocol/entities'
import { addErrorSample, type ErrorHistory } from '@earshot/core/sync/follow/error-history'
import { createPlayer, preloadPlayer } from '../players/choose-player.ts'
import { startServerClock, type ServerClock } from '../realtime/server-clock.ts'
import { ServerConnection } from '../realtime/server-connection.ts'
import { wallNow } from '../realtime/wall-clock.ts'
import { listenToBrowserCommands } from './external-commands.ts'
import { isSilent, noteProbe, type Silence } from './connection-silence.ts'
import type { RoomLink } from './commands.ts'
import { listenToRoom } from './events.ts'
import { showRoomMedia } from './room-media.ts'
import { RoomMembership } from './membership.ts'
import { RoomPlayer, type FollowReport } from './playback/player-loop.ts'
import { createRoomReports, type RoomReports } from './periodic-reports.ts'
import type { RoomSessionData } from './state/room-session-data.ts'
import type { RoomPhase } from './state/room-state.ts'
import { applyFollowReport, applySnapshot } from './state/server-updates.ts'
import { update, type RoomStore } from './state/room-store.ts'
import { fetchMissingTracks } from './track-loader.ts'

export interface LiveRoomOptions {
  roomId: string
  store: RoomStore
  /** Realtime servers, best first. */
  servers: readonly string[]
  /** When the copy of the room that the store begins with was saved; null where it begins empty. */
  copySavedAtMs: number | null
  onLeft: () => void
}

/** Everything that runs while somebody is in a room: connection, clock, membership, player, and what ties them. */
export class LiveRoom {
  readonly link: RoomLink
  readonly connection: ServerConnection
  readonly clock: ServerClock
  readonly membership: RoomMembership
  readonly player: RoomPlayer
  readonly #store: RoomStore
  readonly #reports: RoomReports
  readonly #stops: (() => void)[]
  #hasConnectionFailed = false
  #silence: Silence = null
  #errors: ErrorHistory = []

  constructor({ roomId, store, servers, copySavedAtMs, onLeft }: LiveRoomOptions) {
    this.#store = store
    this.connection = new ServerConnection(servers, {
      onStatus: (status) => this.#onStatus(status),
      onConnected: (server) => this.clock.onConnected(server),
    })
    this.clock = startServerClock({
      sendProbe: (time) => this.connection.call('ping', { time }, { timeoutMs: limits.pingTimeoutMs }),
      onProbe: (rttMs) => this.#onProbe(rttMs),
    })
    this.link = { roomId, store, connection: this.connection, clock: this.clock, broadcastAtMs: null }
    this.#reports = createRoomReports(this.link, (error) => this.#onRefusedReport(error))
    this.membership = new RoomMembership({
      roomId,
      connection: this.connection,
      onJoined: (snapshot) => this.#onJoined(snapshot),
      onPhase: (phase, joinError) =>
        update(store, (data) => ({ ...data, phase: this.#phase(phase), joinError })),
      onLeft,
    })
    this.player = new RoomPlayer({
      createPlayer,
      clock: this.clock,
      initialVolume: audibleVolume(store.getState()),
      readRoom: () => readRoom(store.getState()),
      onReport: (report) => this.#onReport(report),
      onBlockedChange: (isSoundBlocked) => update(store, (data) => ({ ...data, isSoundBlocked })),
      onCueReady: (trackId, sequenceNumber) => this.#sayReady(trackId, sequenceNumber),
      onDuration: (trackId, durationMs) => this.#reports.onDuration(trackId, durationMs),
    })
    this.#stops = [
      listenToRoom(roomId, this.connection, store),
      fetchMissingTracks(store),
      showRoomMedia(this.link),
      listenToBrowserCommands((order) => this.player.obey(order)),
      this.#followStore(),
    ]
    preloadPlayer()
    this.membership.enter(copySavedAtMs)
    this.connection.open()
  }

  /** How well the player followed over the last minutes. */
  errorHistory(): ErrorHistory {
    return this.#errors
  }

  /** Leaves the room: silence at once; the server is told, and then the connection goes. */
  close(): void {
    for (const stop of this.#stops) stop()
    this.player.dispose()
    this.clock.stop()
    void this.membership.leave().finally(() => this.connection.close())
  }

  #onStatus(status: ConnectionStatus): void {
    this.#hasConnectionFailed ||= status === 'disconnected' || status === 'disabled'
    update(this.#store, (data) => ({ ...data, connection: status }))
    if (status === 'connected') this.membership.onConnected()
    else this.membership.onDisconnected()
  }

  /** The first attempt is still loading; only a connection that failed is worth a screen of its own. */
  #phase(phase: RoomPhase): RoomPhase {
    return phase === 'connecting' && !this.#hasConnectionFailed ? 'loading' : phase
  }

  #onProbe(rttMs: number | null): void {
    this.connection.noteLatency(rttMs)
    this.player.wake()
    this.#noteSilence(rttMs)
  }

  /** A connection that is there in name only is given up long before its own timeout. */
  #noteSilence(rttMs: number | null): void {
    const isConnected = this.connection.isConnected()
    this.#silence = isConnected ? noteProbe(this.#silence, rttMs, wallNow()) : null
    if (!isSilent(this.#silence, wallNow())) return
    this.#silence = null
    this.connection.reconnect()
  }

  #onJoined(snapshot: RoomSnapshot): void {
    update(this.#store, (data) => applySnapshot(data, snapshot))
    this.#reports.restart()
  }

  #onReport(report: FollowReport): void {
    update(this.#store, (data) => applyFollowReport(data, report))
    this.#reports.onTurn(report)
    const { errorMs, cause } = report
    const turn = { atMs: wallNow(), errorMs, cause, isHidden: document.hidden }
    this.#errors = addErrorSample(this.#errors, turn)
  }

  #onRefusedReport(error: unknown): void {
    if (error instanceof AppError && error.code === 'not_a_member') this.membership.onLost()
  }

  #sayReady(trackId: string, sequenceNumber: number): void {
    const payload = { roomId: this.link.roomId, trackId, sequenceNumber }
    // Where it is lost, the room starts without waiting for this listener.
    this.connection.call('track_ready', payload).catch(() => undefined)
  }

  /** A changed timeline, volume or nudge reaches the player at once. */
  #followStore(): () => void {
    return this.#store.subscribe((data, before) => {
      if (audibleVolume(data) !== audibleVolume(before)) this.player.setVolume(audibleVolume(data))
      const { timeline, track } = data.confirmed
      const isSameTrack = timeline === before.confirmed.timeline && track === before.confirmed.track
      if (!isSameTrack || data.nudgesMs !== before.nudgesMs) this.player.wake()
    })
  }
}

const audibleVolume = ({ volume, isMuted }: RoomSessionData): number => (isMuted ? 0 : volume)

const readRoom = ({ confirmed, nudgesMs }: RoomSessionData) => ({
  timeline: confirmed.timeline,
  track: confirmed.track,
  nextTrack: confirmed.queue[0] ?? null,
  nudgeMs: confirmed.timeline.source ? nudgesMs[confirmed.timeline.source] : 0,
})
