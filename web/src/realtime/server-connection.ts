import { limits } from '@earshot/core/limits'
import {
  stepConnection,
  createConnection,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionStatus,
  type Transport,
} from '@earshot/core/machines/connection'
import { earliest } from '@earshot/core/machines/deadlines'
import type { WireError } from '@earshot/core/protocol/errors'
import type {
  ClientAck,
  ClientEventName,
  ClientPayload,
  ServerEventName,
  ServerPayload,
} from '@earshot/core/protocol/socket-events'
import { refusedSession } from '../api/refused-session.ts'
import { createMessageHistory } from './message-history.ts'
import { clearInactiveMark, markInactive, readInactiveSince, watchPage } from './page-activity.ts'
import {
  callServer,
  createIncomingEvents,
  createServerSocket,
  type CallOptions,
  type ServerSocket,
} from './server-socket.ts'
import { createDueTimer } from '../timing.ts'
import { wallNow } from '../wall-clock.ts'

/** Calls to the server over the current connection. */
export interface ServerCalls {
  isConnected(): boolean
  /** Rejects with an AppError; with a NoAnswerError while there is no connection. */
  call<Name extends ClientEventName>(
    event: Name,
    payload: ClientPayload<Name>,
    options?: CallOptions<Name>,
  ): Promise<ClientAck<Name>>
}

/** Since when pings have no answer, on the client's clock in ms; null while they are answered. */
export type Silence = number | null

/** Longer than a busy machine blocks a page. With the pings' own timeout a dead connection shows after about 10 s. */
const silentAfterMs = 5_000

/** Updates the silence after a ping; `rttMs` is null when no answer came in time. */
export function noteProbe(silence: Silence, rttMs: number | null, nowMs: number): Silence {
  return rttMs === null ? (silence ?? nowMs) : null
}

/** Whether the network lost the connection without closing it. */
export function isSilent(silence: Silence, nowMs: number): boolean {
  return silence !== null && nowMs - silence >= silentAfterMs
}

const isUnauthenticated = ({ data }: Error & { data?: Partial<WireError> }): boolean =>
  data?.code === 'unauthenticated'

interface ConnectionListener {
  onStatus(status: ConnectionStatus): void
  /** Connected; possibly to another server than last time. */
  onConnected(server: string): void
}

/** The realtime connection, re-established by core's connection machine (4.2 to 4.6). */
export class ServerConnection implements ServerCalls {
  readonly history = createMessageHistory()
  readonly #incoming = createIncomingEvents()
  readonly #listener: ConnectionListener
  readonly #watchers = new Set<() => void>()
  #state: ConnectionState = createConnection([])
  #silence: Silence = null
  #socket: ServerSocket | null = null
  readonly #setTimer = createDueTimer(() => this.#step({ type: 'due' }))
  #stopWatching: () => void = () => undefined

  constructor(listener: ConnectionListener) {
    this.#listener = listener
  }

  /** Connects to the first of the servers that answers; `servers`: best first. */
  open(servers: readonly string[]): void {
    this.#state = createConnection(servers)
    this.#stopWatching = watchPage((type) => this.#step({ type }))
    this.#step({ type: 'start', inactiveSinceMs: readInactiveSince() })
  }

  /** Reconnects in any state (4.3c). Has no effect before `open`. */
  reconnect(): void {
    if (this.#state.servers.length > 0) this.#step({ type: 'force_reconnect' })
  }

  /** Switches to another one of `state().servers` (2.38b). */
  switchServer(serverIndex: number): void {
    this.#step({ type: 'switch_server', serverIndex })
  }

  /**
   * Takes a ping's round trip in ms, or null when no answer came in time (4.5). Reconnects when pings stay unanswered,
   * long before the socket's own timeout.
   */
  noteLatency(rttMs: number | null): void {
    this.#step({ type: 'latency', rttMs })
    const nowMs = wallNow()
    this.#silence = this.isConnected() ? noteProbe(this.#silence, rttMs, nowMs) : null
    if (!isSilent(this.#silence, nowMs)) return
    this.#silence = null
    this.reconnect()
  }

  /** Closes for good. */
  close(): void {
    this.#stopWatching()
    this.#step({ type: 'stop' })
  }

  isConnected(): boolean {
    return this.#state.status === 'connected'
  }

  /** The state of the connection; a new object after every change. */
  state(): ConnectionState {
    return this.#state
  }

  /** The transport in use; null without a connection. */
  transport(): Transport | null {
    if (!this.isConnected()) return null
    return this.#socket?.io.engine.transport.name === 'polling' ? 'polling' : 'websocket'
  }

  /** Calls back after every change of `state`. Returns a function that stops it. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  on<Name extends ServerEventName>(name: Name, listener: (payload: ServerPayload<Name>) => void): () => void {
    return this.#incoming.on(name, listener)
  }

  call<Name extends ClientEventName>(
    event: Name,
    payload: ClientPayload<Name>,
    options: CallOptions<Name> = {},
  ): Promise<ClientAck<Name>> {
    return callServer(this.#socket, event, payload, { ...options, noteSent: this.history.noteSent })
  }

  #step(event: ConnectionEvent): void {
    const before = this.#state.status
    const { state, effects } = stepConnection(this.#state, event, wallNow())
    this.#state = state
    for (const effect of effects) this.#run(effect)
    this.#setTimer(earliest(state.deadlines))
    if (state.status !== before) this.#listener.onStatus(state.status)
    for (const watcher of this.#watchers) watcher()
  }

  #run(effect: ConnectionEffect): void {
    switch (effect.type) {
      case 'open':
        this.#release()
        this.#socket = this.#connect(effect.url, effect.transports)
        return
      case 'close':
        this.#release()
        return
      case 'mark_inactive':
        markInactive(effect.atMs)
        return
      case 'clear_inactive_mark':
        clearInactiveMark()
    }
  }

  #connect(url: string, transports: ConnectionState['transports']): ServerSocket {
    const socket = createServerSocket(url, transports, limits.connectTimeoutMs)
    const step = (type: 'connected' | 'disconnected' | 'expired' | 'failed') => {
      // Events of a released socket are ignored.
      if (socket === this.#socket) this.#step({ type })
    }
    socket.on('connect', () => {
      step('connected')
      if (socket === this.#socket) this.#listener.onConnected(url)
    })
    socket.on('disconnect', (reason) => step(reason === 'ping timeout' ? 'expired' : 'disconnected'))
    socket.on('connect_error', (error) => {
      if (isUnauthenticated(error)) refusedSession.setState({ isRefused: true })
      step('failed')
    })
    socket.onAny((name: string, payload: unknown) => {
      this.history.noteReceived(name, payload)
      void this.#incoming.dispatch(name, payload)
    })
    socket.connect()
    return socket
  }

  #release(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.disconnect()
  }
}
