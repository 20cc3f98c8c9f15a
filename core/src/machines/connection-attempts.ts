import { limits } from '../limits.ts'
import {
  type ConnectionState,
  type ConnectionStep,
  createConnection,
  firstTransports,
  secondTransports,
} from './connection-state.ts'

/** Attempts to connect: how one begins, and what follows when it fails. */

export const rest = (state: ConnectionState): ConnectionStep => ({ state, effects: [] })

/** Begins an attempt. A disabled connection stays so until one succeeds. */
export function open(state: ConnectionState, nowMs: number): ConnectionStep {
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

export function planReconnect(state: ConnectionState, nowMs: number): ConnectionState {
  const { fallbackCheckAtMs } = state.deadlines
  const openAtMs = nowMs + limits.reconnectDelayMs
  return {
    ...state,
    status: 'disconnected',
    deadlines: { openAtMs, fallbackCheckAtMs, attemptTimeoutAtMs: null, qualityCheckAtMs: null },
  }
}

/** The other transport first from the first failure on; the next server after five (4.3b, 4.4). */
export function failAttempt(state: ConnectionState, nowMs: number): ConnectionStep {
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

export function otherTransports({ transports }: ConnectionState): ConnectionState['transports'] {
  return transports === secondTransports ? firstTransports : secondTransports
}

export function nextServer(state: ConnectionState): ConnectionState {
  const serverIndex = (state.serverIndex + 1) % Math.max(1, state.servers.length)
  return { ...state, serverIndex, failedAttempts: 0, transports: firstTransports }
}

/**
 * Nothing is left to try. One attempt now and again still sees whether a server is back: each in turn, by the one
 * transport and the other.
 */
function disable(state: ConnectionState, nowMs: number): ConnectionStep {
  const { serverIndex } = nextServer(state)
  const openAtMs = state.servers.length > 0 ? nowMs + limits.disabledRetryMs : null
  const fresh = createConnection(state.servers)
  return rest({
    ...fresh,
    status: 'disabled',
    reason: 'max_reconnect_attempts_reached',
    serverIndex,
    transports: otherTransports(state),
    deadlines: { ...fresh.deadlines, openAtMs },
  })
}
