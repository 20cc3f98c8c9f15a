/** The state machine of the realtime connection (4.2 to 4.6). Instants in ms of the caller's monotonic clock. */

export type ConnectionStatus = 'disconnected' | 'connecting' | 'connected' | 'disabled'

export type Transport = 'websocket' | 'polling'

export interface ConnectionState {
  status: ConnectionStatus
  /** Why it is disabled. */
  reason: 'max_reconnect_attempts_reached' | null
  /** The configured servers that can be reached over HTTP. */
  servers: readonly string[]
  /** The server in use. */
  serverIndex: number
  /** Servers that were given up since the last connection. */
  serversGivenUp: number
  /** Attempts that failed on this server since the last connection. */
  failedAttempts: number
  transports: readonly Transport[]
  /** Of the latest pings, oldest first, in ms. */
  latenciesMs: readonly number[]
  /** The latest latency exceeds the limit for good quality. */
  isPoor: boolean
  deadlines: ConnectionDeadlines
}

/** The deadlines, each of which an earlier event may cancel. */
export interface ConnectionDeadlines {
  /** The current attempt fails. */
  attemptTimeoutAtMs: number | null
  /** The next attempt starts. */
  openAtMs: number | null
  /** A forced reconnect without success falls back. */
  fallbackCheckAtMs: number | null
  qualityCheckAtMs: number | null
}

export type ConnectionEvent =
  /** `inactiveSinceMs`: the mark left by an earlier page, or null. */
  | { type: 'start'; inactiveSinceMs: number | null }
  | { type: 'connected' }
  | { type: 'disconnected' }
  | { type: 'failed' }
  /** `nextDeadline` is reached. Harmless at any other time. */
  | { type: 'due' }
  | { type: 'force_reconnect' }
  | { type: 'switch_server'; serverIndex: number }
  /** A ping's round trip in ms, or null without an answer in time. */
  | { type: 'latency'; rttMs: number | null }
  | { type: 'hidden' }
  | { type: 'visible' }
  | { type: 'online' }
  | { type: 'stop' }

export type ConnectionEffect =
  /** Replaces the socket. Report its events as `connected`, `failed` and `disconnected`. */
  | { type: 'open'; url: string; transports: readonly Transport[] }
  /** Closes the socket; its later events are ignored. */
  | { type: 'close' }
  /** Stores since when the page is inactive, or clears that mark. */
  | { type: 'mark_inactive'; atMs: number }
  | { type: 'clear_inactive_mark' }

export interface ConnectionStep {
  state: ConnectionState
  effects: ConnectionEffect[]
}

const noDeadlines: ConnectionDeadlines = {
  attemptTimeoutAtMs: null,
  openAtMs: null,
  fallbackCheckAtMs: null,
  qualityCheckAtMs: null,
}

export const firstTransports: readonly Transport[] = ['websocket', 'polling']
export const secondTransports: readonly Transport[] = ['polling', 'websocket']

/** Creates an idle connection. Skips configured servers without an HTTP address. */
export function createConnection(servers: readonly string[]): ConnectionState {
  return {
    status: 'disconnected',
    reason: null,
    servers: servers.filter((url) => /^https?:\/\//i.test(url)),
    serverIndex: 0,
    serversGivenUp: 0,
    failedAttempts: 0,
    transports: firstTransports,
    latenciesMs: [],
    isPoor: false,
    deadlines: noDeadlines,
  }
}

/** Resets everything but the server in use. */
export function forgetHistory(state: ConnectionState): ConnectionState {
  return { ...createConnection(state.servers), serverIndex: state.serverIndex }
}

/** Returns when to send `due`, or null. */
export function nextDeadline({ deadlines }: ConnectionState): number | null {
  const times = Object.values(deadlines).filter((atMs): atMs is number => atMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}
