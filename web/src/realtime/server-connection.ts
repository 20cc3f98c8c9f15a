import { limits } from '@earshot/core/limits'
import { stepConnection } from '@earshot/core/machines/connection'
import {
  createConnection,
  nextDeadline,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionStatus,
  type Transport,
} from '@earshot/core/machines/connection-state'
import type {
  ClientAck,
  ClientEventName,
  ClientPayload,
  ServerEventName,
  ServerPayload,
} from '@earshot/core/protocol/socket-events'
import { clearInactiveMark, markInactive, readInactiveSince } from './inactivity-mark.ts'
import { createIncomingEvents } from './incoming-events.ts'
import { createMessageHistory } from './message-history.ts'
import { watchPage } from './page-events.ts'
import { callServer, createServerSocket, type CallOptions, type ServerSocket } from './server-socket.ts'
import { wallNow } from './wall-clock.ts'

/** What can be asked of the server while there is a connection. */
export interface ServerCalls {
  isConnected(): boolean
  /** Rejects with an AppError; with a NoAnswerError while there is no connection. */
  call<Name extends ClientEventName>(
    event: Name,
    payload: ClientPayload<Name>,
    options?: CallOptions<Name>,
  ): Promise<ClientAck<Name>>
}

export interface ConnectionListener {
  onStatus(status: ConnectionStatus): void
  /** A connection is there; its other end may be another server than last time. */
  onConnected(server: string): void
}

/** The realtime channel, kept up over lost connections as core's connection machine says (4.2 to 4.6). */
export class ServerConnection implements ServerCalls {
  readonly history = createMessageHistory()
  readonly #incoming = createIncomingEvents()
  readonly #listener: ConnectionListener
  readonly #watchers = new Set<() => void>()
  #state: ConnectionState
  #socket: ServerSocket | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopWatching: () => void = () => undefined

  constructor(servers: readonly string[], listener: ConnectionListener) {
    this.#state = createConnection(servers)
    this.#listener = listener
  }

  open(): void {
    this.#stopWatching = watchPage((type) => this.#step({ type }))
    this.#step({ type: 'start', inactiveSinceMs: readInactiveSince() })
  }

  /** Begins anew, whatever the state (4.3c). */
  reconnect(): void {
    this.#step({ type: 'force_reconnect' })
  }

  /** Goes to another one of `state().servers` (2.38b). */
  switchServer(serverIndex: number): void {
    this.#step({ type: 'switch_server', serverIndex })
  }

  /** A ping's round trip in ms, or null where no answer came in time (4.5). */
  noteLatency(rttMs: number | null): void {
    this.#step({ type: 'latency', rttMs })
  }

  /** For good. */
  close(): void {
    this.#stopWatching()
    this.#step({ type: 'stop' })
  }

  isConnected(): boolean {
    return this.#state.status === 'connected'
  }

  /** Where the connection stands; another object with every change. */
  state(): ConnectionState {
    return this.#state
  }

  /** How messages travel just now; null while there is no connection. */
  transport(): Transport | null {
    if (!this.isConnected()) return null
    return this.#socket?.io.engine.transport.name === 'polling' ? 'polling' : 'websocket'
  }

  /** Calls back with every change of `state`. Returns what stops it. */
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
    return callServer(this.#socket, event, payload, options, this.history.noteSent)
  }

  #step(event: ConnectionEvent): void {
    const before = this.#state.status
    const { state, effects } = stepConnection(this.#state, event, wallNow())
    this.#state = state
    for (const effect of effects) this.#carryOut(effect)
    clearTimeout(this.#timer)
    const dueAtMs = nextDeadline(state)
    if (dueAtMs !== null) {
      this.#timer = setTimeout(() => this.#step({ type: 'due' }), Math.max(0, dueAtMs - wallNow()))
    }
    if (state.status !== before) this.#listener.onStatus(state.status)
    for (const watcher of this.#watchers) watcher()
  }

  #carryOut(effect: ConnectionEffect): void {
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
    const step = (type: 'connected' | 'disconnected' | 'failed') => {
      // A socket that was dropped has no say any more.
      if (socket === this.#socket) this.#step({ type })
    }
    socket.on('connect', () => {
      step('connected')
      if (socket === this.#socket) this.#listener.onConnected(url)
    })
    socket.on('disconnect', () => step('disconnected'))
    socket.on('connect_error', () => step('failed'))
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
