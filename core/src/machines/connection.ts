import { limits } from '../limits.ts'
import { failAttempt, nextServer, open, otherTransports, planReconnect, rest } from './connection-attempts.ts'
import {
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionStep,
  createConnection,
  forgetHistory,
} from './connection-state.ts'

/**
 * What the realtime connection does next. Whoever owns the socket carries out the effects and calls again with what
 * happens, and with `due` at `nextDeadline`.
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
      return rest(isAttempting(state) ? noteConnected(state, nowMs) : state)
    case 'disconnected':
      return state.status === 'connected' ? rest(planReconnect(state, nowMs)) : rest(state)
    case 'failed':
      return isAttempting(state) ? failAttempt(state, nowMs) : rest(state)
    case 'due':
      return actOnDeadlines(state, nowMs)
    case 'force_reconnect':
      return forceReconnect(state, nowMs)
    case 'switch_server':
      return switchServer(state, event.serverIndex, nowMs)
    case 'latency':
      return rest(noteLatency(state, event.rttMs))
    case 'hidden':
      return { state, effects: [{ type: 'mark_inactive', atMs: nowMs }] }
    case 'visible':
      return revive(state, nowMs, [{ type: 'clear_inactive_mark' }])
    case 'online':
      return revive(state, nowMs, [])
    case 'stop':
      return { state: forgetHistory(state), effects: [{ type: 'close' }] }
  }
}

/** An attempt is under way: also in the background of a disabled connection. */
const isAttempting = ({ deadlines }: ConnectionState): boolean => deadlines.attemptTimeoutAtMs !== null

/** After a short inactivity the earlier page's connection is given a moment to end (4.6b). */
function start(state: ConnectionState, inactiveSinceMs: number | null, nowMs: number): ConnectionStep {
  if (state.status !== 'disconnected' || state.deadlines.openAtMs !== null) return rest(state)
  const inactiveMs = inactiveSinceMs === null ? Infinity : nowMs - inactiveSinceMs
  if (inactiveMs < 0 || inactiveMs >= limits.inactivityMarkValidMs) return open(state, nowMs)
  const openAtMs = nowMs + limits.inactivityReconnectMs
  const deadlines = { ...state.deadlines, openAtMs }
  return { state: { ...state, status: 'connecting', deadlines }, effects: [{ type: 'clear_inactive_mark' }] }
}

function noteConnected(state: ConnectionState, nowMs: number): ConnectionState {
  const fresh = forgetHistory(state)
  const deadlines = { ...fresh.deadlines, qualityCheckAtMs: nowMs + limits.qualityCheckMs }
  return { ...fresh, status: 'connected', transports: state.transports, deadlines }
}

function actOnDeadlines(state: ConnectionState, nowMs: number): ConnectionStep {
  const { attemptTimeoutAtMs, openAtMs, fallbackCheckAtMs, qualityCheckAtMs } = state.deadlines
  const isDue = (atMs: number | null): boolean => atMs !== null && nowMs >= atMs
  if (isDue(fallbackCheckAtMs)) return fallBack(state, nowMs)
  if (isDue(attemptTimeoutAtMs)) return failAttempt(state, nowMs)
  if (isDue(openAtMs)) return open(state, nowMs)
  if (isDue(qualityCheckAtMs)) return checkQuality(state, nowMs)
  return rest(state)
}

/** Everything from the beginning, and a look after a while whether that was of use (4.3c). */
function forceReconnect(state: ConnectionState, nowMs: number): ConnectionStep {
  const fresh = createConnection(state.servers)
  const deadlines = {
    ...fresh.deadlines,
    openAtMs: nowMs + limits.forcedReconnectDelayMs,
    fallbackCheckAtMs: nowMs + limits.forcedReconnectCheckMs,
  }
  return { state: { ...fresh, status: 'connecting', deadlines }, effects: [{ type: 'close' }] }
}

/** The forced attempt hangs: the next server, or the other transport where there is only one. */
function fallBack(state: ConnectionState, nowMs: number): ConnectionStep {
  const checked = { ...state, deadlines: { ...state.deadlines, fallbackCheckAtMs: null } }
  if (state.status === 'disabled') return rest(checked)
  const other =
    state.servers.length > 1 ? nextServer(checked) : { ...checked, transports: otherTransports(checked) }
  return open(other, nowMs)
}

function switchServer(state: ConnectionState, serverIndex: number, nowMs: number): ConnectionStep {
  if (!(serverIndex in state.servers)) return rest(state)
  return open({ ...createConnection(state.servers), serverIndex }, nowMs)
}

/** The mean of the latest pings, where there are enough of them, may send it to the next server (4.5). */
function checkQuality(state: ConnectionState, nowMs: number): ConnectionStep {
  const { latenciesMs, servers } = state
  const meanMs = latenciesMs.reduce((sum, latencyMs) => sum + latencyMs, 0) / latenciesMs.length
  const isTooSlow = latenciesMs.length >= limits.switchLatencyMinSamples && meanMs > limits.switchLatencyMs
  if (isTooSlow && servers.length > 1) return switchServer(state, nextServer(state).serverIndex, nowMs)
  const qualityCheckAtMs = nowMs + limits.qualityCheckMs
  return rest({ ...state, deadlines: { ...state.deadlines, qualityCheckAtMs } })
}

/** A ping without an answer counts as one that took as long as was waited for it. */
function noteLatency(state: ConnectionState, rttMs: number | null): ConnectionState {
  if (state.status !== 'connected') return state
  const latencyMs = rttMs ?? limits.pingTimeoutMs
  const latenciesMs = [...state.latenciesMs, latencyMs].slice(-limits.switchLatencyWindow)
  return { ...state, latenciesMs, isPoor: latencyMs > limits.poorLatencyMs }
}

/** Somebody looks again, or the network is back: what was given up is tried at once. */
function revive(state: ConnectionState, nowMs: number, effects: ConnectionStep['effects']): ConnectionStep {
  const isWaiting = state.deadlines.openAtMs !== null && state.status !== 'connected'
  if (!isWaiting) return { state, effects }
  const opened = open(forgetHistory(state), nowMs)
  return { state: opened.state, effects: [...effects, ...opened.effects] }
}
