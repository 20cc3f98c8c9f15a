import { limits } from '../limits.ts'
import { isDue } from './deadlines.ts'

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
interface ConnectionDeadlines {
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
  /** No ping has come for too long: most likely the machine slept. */
  | { type: 'expired' }
  | { type: 'failed' }
  /** A deadline is reached. Harmless at any other time. */
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

interface ConnectionStep {
  state: ConnectionState
  effects: ConnectionEffect[]
}

const noDeadlines: ConnectionDeadlines = {
  attemptTimeoutAtMs: null,
  openAtMs: null,
  fallbackCheckAtMs: null,
  qualityCheckAtMs: null,
}

const firstTransports: readonly Transport[] = ['websocket', 'polling']
const secondTransports: readonly Transport[] = ['polling', 'websocket']

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
function forgetHistory(state: ConnectionState): ConnectionState {
  return { ...createConnection(state.servers), serverIndex: state.serverIndex }
}

/**
 * Advances the realtime connection. The caller owns the socket: it carries out the effects, reports events, and sends
 * `due` at the `earliest` of the deadlines.
 */
export function stepConnection(
  state: ConnectionState,
  event: ConnectionEvent,
  nowMs: number,
): ConnectionStep {
  switch (event.type) {
    case 'start':
      return start(state, event.inactiveSinceMs, nowMs)
    case 'connected':
      return withoutEffects(isAttempting(state) ? recordConnected(state, nowMs) : state)
    case 'disconnected':
      return state.status === 'connected'
        ? withoutEffects(planReconnect(state, nowMs))
        : withoutEffects(state)
    case 'expired':
      return state.status === 'connected' ? open(planReconnect(state, nowMs), nowMs) : withoutEffects(state)
    case 'failed':
      return isAttempting(state) ? failAttempt(state, nowMs) : withoutEffects(state)
    case 'due':
      return actOnDeadlines(state, nowMs)
    case 'force_reconnect':
      return forceReconnect(state, nowMs)
    case 'switch_server':
      return switchServer(state, event.serverIndex, nowMs)
    case 'latency':
      return withoutEffects(recordLatency(state, event.rttMs))
    case 'hidden':
      return { state, effects: [{ type: 'mark_inactive', atMs: nowMs }] }
    case 'visible':
      return retryNow(state, nowMs, [{ type: 'clear_inactive_mark' }])
    case 'online':
      return retryNow(state, nowMs, [])
    case 'stop':
      return { state: forgetHistory(state), effects: [{ type: 'close' }] }
  }
}

/** Whether an attempt is in progress, even while the connection is disabled. */
const isAttempting = ({ deadlines }: ConnectionState): boolean => deadlines.attemptTimeoutAtMs !== null

/** Starts. After a short inactivity it waits for the earlier page's connection to close (4.6b). */
function start(state: ConnectionState, inactiveSinceMs: number | null, nowMs: number): ConnectionStep {
  if (state.status !== 'disconnected' || state.deadlines.openAtMs !== null) return withoutEffects(state)
  const inactiveMs = inactiveSinceMs === null ? Infinity : nowMs - inactiveSinceMs
  if (inactiveMs < 0 || inactiveMs >= limits.inactivityMarkValidMs) return open(state, nowMs)
  const openAtMs = nowMs + limits.inactivityReconnectMs
  const deadlines = { ...state.deadlines, openAtMs }
  return { state: { ...state, status: 'connecting', deadlines }, effects: [{ type: 'clear_inactive_mark' }] }
}

function recordConnected(state: ConnectionState, nowMs: number): ConnectionState {
  const fresh = forgetHistory(state)
  const deadlines = { ...fresh.deadlines, qualityCheckAtMs: nowMs + limits.qualityCheckMs }
  return { ...fresh, status: 'connected', transports: state.transports, deadlines }
}

function actOnDeadlines(state: ConnectionState, nowMs: number): ConnectionStep {
  const { attemptTimeoutAtMs, openAtMs, fallbackCheckAtMs, qualityCheckAtMs } = state.deadlines
  if (isDue(fallbackCheckAtMs, nowMs)) return fallBack(state, nowMs)
  if (isDue(attemptTimeoutAtMs, nowMs)) return failAttempt(state, nowMs)
  if (isDue(openAtMs, nowMs)) return open(state, nowMs)
  if (isDue(qualityCheckAtMs, nowMs)) return checkQuality(state, nowMs)
  return withoutEffects(state)
}

/** Restarts from the initial state, and later checks for success (4.3c). */
function forceReconnect(state: ConnectionState, nowMs: number): ConnectionStep {
  const fresh = createConnection(state.servers)
  const deadlines = {
    ...fresh.deadlines,
    openAtMs: nowMs + limits.forcedReconnectDelayMs,
    fallbackCheckAtMs: nowMs + limits.forcedReconnectCheckMs,
  }
  return { state: { ...fresh, status: 'connecting', deadlines }, effects: [{ type: 'close' }] }
}

/** Falls back to the next server, or with only one to the other transport, when the forced attempt hangs. */
function fallBack(state: ConnectionState, nowMs: number): ConnectionStep {
  const checked = { ...state, deadlines: { ...state.deadlines, fallbackCheckAtMs: null } }
  if (state.status === 'disabled') return withoutEffects(checked)
  const other =
    state.servers.length > 1 ? nextServer(checked) : { ...checked, transports: otherTransports(checked) }
  return open(other, nowMs)
}

function switchServer(state: ConnectionState, serverIndex: number, nowMs: number): ConnectionStep {
  if (!(serverIndex in state.servers)) return withoutEffects(state)
  return open({ ...createConnection(state.servers), serverIndex }, nowMs)
}

/** Switches to the next server if the mean latency of enough recent pings is too high (4.5). */
function checkQuality(state: ConnectionState, nowMs: number): ConnectionStep {
  const { latenciesMs, servers } = state
  const meanMs = latenciesMs.reduce((sum, latencyMs) => sum + latencyMs, 0) / latenciesMs.length
  const isTooSlow = latenciesMs.length >= limits.switchLatencyMinSamples && meanMs > limits.switchLatencyMs
  if (isTooSlow && servers.length > 1) return switchServer(state, nextServer(state).serverIndex, nowMs)
  const qualityCheckAtMs = nowMs + limits.qualityCheckMs
  return withoutEffects({ ...state, deadlines: { ...state.deadlines, qualityCheckAtMs } })
}

/** Records a ping; one without an answer counts with the ping timeout. */
function recordLatency(state: ConnectionState, rttMs: number | null): ConnectionState {
  if (state.status !== 'connected') return state
  const latencyMs = rttMs ?? limits.pingTimeoutMs
  const latenciesMs = [...state.latenciesMs, latencyMs].slice(-limits.switchLatencyWindow)
  return { ...state, latenciesMs, isPoor: latencyMs > limits.poorLatencyMs }
}

/** Tries again at once when the page becomes visible or the network returns. */
function retryNow(state: ConnectionState, nowMs: number, effects: ConnectionStep['effects']): ConnectionStep {
  const isWaiting = state.deadlines.openAtMs !== null && state.status !== 'connected'
  if (!isWaiting) return { state, effects }
  const opened = open(forgetHistory(state), nowMs)
  return { state: opened.state, effects: [...effects, ...opened.effects] }
}

const withoutEffects = (state: ConnectionState): ConnectionStep => ({ state, effects: [] })

/** Starts an attempt. A disabled connection stays disabled until one succeeds. */
function open(state: ConnectionState, nowMs: number): ConnectionStep {
  const url = state.servers[state.serverIndex]
  if (url === undefined) return disable(state, nowMs)
  const isDisabled = state.status === 'disabled'
  const attemptTimeoutAtMs = nowMs + limits.connectTimeoutMs
  return {
    state: {
      ...state,
      status: isDisabled ? 'disabled' : 'connecting',
      deadlines: { ...state.deadlines, openAtMs: null, attemptTimeoutAtMs, qualityCheckAtMs: null },
    },
    effects: [{ type: 'open', url, transports: state.transports }],
  }
}

function planReconnect(state: ConnectionState, nowMs: number): ConnectionState {
  const { fallbackCheckAtMs } = state.deadlines
  const openAtMs = nowMs + limits.reconnectDelayMs
  return {
    ...state,
    status: 'disconnected',
    deadlines: { openAtMs, fallbackCheckAtMs, attemptTimeoutAtMs: null, qualityCheckAtMs: null },
  }
}

/** Switches the transport after the first failure, and the server after five (4.3b, 4.4). */
function failAttempt(state: ConnectionState, nowMs: number): ConnectionStep {
  const effects: ConnectionStep['effects'] = [{ type: 'close' }]
  if (state.status === 'disabled') return { ...disable(state, nowMs), effects }
  const failedAttempts = state.failedAttempts + 1
  const transports = failedAttempts === 1 ? otherTransports(state) : state.transports
  if (failedAttempts < limits.reconnectAttempts) {
    return { state: planReconnect({ ...state, failedAttempts, transports }, nowMs), effects }
  }
  const serversGivenUp = state.serversGivenUp + 1
  if (serversGivenUp >= state.servers.length) return { ...disable(state, nowMs), effects }
  return { state: planReconnect({ ...nextServer(state), serversGivenUp }, nowMs), effects }
}

function otherTransports({ transports }: ConnectionState): ConnectionState['transports'] {
  return transports === secondTransports ? firstTransports : secondTransports
}

function nextServer(state: ConnectionState): ConnectionState {
  const serverIndex = (state.serverIndex + 1) % Math.max(1, state.servers.length)
  return { ...state, serverIndex, failedAttempts: 0, transports: firstTransports }
}

/** Gives up, but keeps trying one server at a time at long intervals, with alternating transports. */
function disable(state: ConnectionState, nowMs: number): ConnectionStep {
  const { serverIndex } = nextServer(state)
  const openAtMs = state.servers.length > 0 ? nowMs + limits.disabledRetryMs : null
  const fresh = createConnection(state.servers)
  return withoutEffects({
    ...fresh,
    status: 'disabled',
    reason: 'max_reconnect_attempts_reached',
    serverIndex,
    transports: otherTransports(state),
    deadlines: { ...fresh.deadlines, openAtMs },
  })
}
