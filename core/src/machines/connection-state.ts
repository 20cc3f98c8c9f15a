/** The realtime connection (4.2 to 4.6) as data. Instants in ms of the caller's clock, which must not go back. */

export type ConnectionStatus = 'disconnected' | 'connecting' | 'connected' | 'disabled'

export type Transport = 'websocket' | 'polling'

export interface ConnectionState {
  status: ConnectionStatus
  /** Why it is disabled. */
  reason: 'max_reconnect_attempts_reached' | null
  /** The configured servers that can be reached over HTTP. */
  servers: readonly string[]
  /** Which of them is in use. */
  serverIndex: number
  /** Servers that were given up since the last connection. */
  serversGivenUp: number
  /** Attempts that failed on this server since the last connection. */
  failedAttempts: number
  transports: readonly Transport[]
  /** Of the latest pings, oldest first, in ms. */
  latenciesMs: readonly number[]
  /** The latest latency is above what passes for good. */
  isPoor: boolean
  deadlines: ConnectionDeadlines
}

/** What is to happen when, where nothing happens before. */
export interface ConnectionDeadlines {
  /** The attempt under way has failed. */
  attemptTimeoutAtMs: number | null
  /** The next attempt begins. */
  openAtMs: number | null
  /** A forced reconnect that has not connected by then falls back. */
  fallbackCheckAtMs: number | null
  qualityCheckAtMs: number | null
}

export type ConnectionEvent =
  /** `inactiveSinceMs`: the mark that an earlier page left, or null. */
  | { type: 'start'; inactiveSinceMs: number | null }
  | { type: 'connected' }
  | { type: 'disconnected' }
  | { type: 'failed' }
  /** The time of `nextDeadline` has come. Harmless at any other time. */
  | { type: 'due' }
  | { type: 'force_reconnect' }
  | { type: 'switch_server'; serverIndex: number }
  /** A ping's round trip in ms, or null where no answer came in time. */
  | { type: 'latency'; rttMs: number | null }
  | { type: 'hidden' }
  | { type: 'visible' }
  | { type: 'online' }
  | { type: 'stop' }

export type ConnectionEffect =
  /** Drop whatever socket there is and open this one; its later events are `connected`, `failed`, `disconnected`. */
  | { type: 'open'; url: string; transports: readonly Transport[] }
  /** Drop the socket without a word: it raises no event any more. */
  | { type: 'close' }
  /** Store since when this page is inactive, or that it is active again. */
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

/** A connection that was not started. Of the configured servers, those that are no HTTP address are skipped. */
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

/** The state with nothing left of its history or its plans; its servers stay. */
export function forgetHistory(state: ConnectionState): ConnectionState {
  return { ...createConnection(state.servers), serverIndex: state.serverIndex }
}

/** When `due` is to be sent, or null. */
export function nextDeadline({ deadlines }: ConnectionState): number | null {
  const times = Object.values(deadlines).filter((atMs): atMs is number => atMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}
