import { limits } from '../limits.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import { isDue } from './deadlines.ts'

/** The state machine of a room membership (4.7 to 4.10). Instants in ms of the caller's monotonic clock. */

/** The state that the room page shows (2.17). */
export type MembershipPhase = 'loading' | 'connecting' | 'not_found' | 'joined'

export interface MembershipState {
  roomId: string | null
  isConnected: boolean
  /** The server confirmed the join on the current connection. */
  isJoined: boolean
  /** Room data is available, from the server or from the recovery copy. */
  hasRoom: boolean
  /** Start of the pending join, or null. */
  joiningSinceMs: number | null
  /** Time of the latest join of this room on this connection. */
  lastJoinAtMs: number | null
  failedJoins: number
  /** The server's reason for refusing, or null. */
  refusal: ErrorCode | null
  /** Loading lasts for longer than it should. */
  hasTimedOut: boolean
  deadlines: MembershipDeadlines
}

interface MembershipDeadlines {
  /** Retry of a failed join. */
  retryAtMs: number | null
  /** Periodic check while not joined. */
  checkAtMs: number | null
  /** Loading without a room has taken too long. */
  timeoutAtMs: number | null
}

export type MembershipEvent =
  /** `copySavedAtMs`: when the recovery copy was saved, or null without one. */
  | { type: 'enter'; roomId: string; copySavedAtMs: number | null }
  | { type: 'connected' }
  | { type: 'disconnected' }
  | { type: 'joined'; roomId: string }
  /** The server refused the join, or did not answer (`unavailable`). `hadPassword`: the join carried a password. */
  | { type: 'join_failed'; roomId: string; code: ErrorCode; hadPassword?: boolean }
  /** The server ended the membership, or the page lost the room's data. */
  | { type: 'room_lost' }
  /** The owner removed this user: `banned`, or `not_a_member` for one who may come back. */
  | { type: 'removed'; code: 'banned' | 'not_a_member' }
  /** The user retries, with or without a password. */
  | { type: 'retry' }
  | { type: 'leave' }
  /** A deadline is reached. Harmless at any other time. */
  | { type: 'due' }

export type MembershipEffect =
  /** Sends the join; report `joined` or `join_failed`. */
  | { type: 'join'; roomId: string }
  /** Sends `user_left`. */
  | { type: 'notify_leave'; roomId: string }
  /** Deletes the recovery copy. */
  | { type: 'drop_copy'; roomId: string }

interface MembershipStep {
  state: MembershipState
  effects: MembershipEffect[]
}

export const initialMembership: MembershipState = {
  roomId: null,
  isConnected: false,
  isJoined: false,
  hasRoom: false,
  joiningSinceMs: null,
  lastJoinAtMs: null,
  failedJoins: 0,
  refusal: null,
  hasTimedOut: false,
  deadlines: { retryAtMs: null, checkAtMs: null, timeoutAtMs: null },
}

/**
 * Derives the phase. Available room data is shown even while disconnected. A room that did not load in time may still
 * do so: only a refusal ends the attempts (decision 127).
 */
export function membershipPhase(state: MembershipState): MembershipPhase {
  if (state.refusal !== null) return 'not_found'
  if (state.hasRoom) return 'joined'
  return state.isConnected && !state.hasTimedOut ? 'loading' : 'connecting'
}

/** Permanent errors: not retried, the room is shown as not found with the reason. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'room_not_found',
  'password_required',
  'wrong_password',
  'banned',
  'network_banned',
  'guests_not_admitted',
  'unauthenticated',
  'invalid_input',
])

/**
 * Advances a room membership: join, retry, recover, leave. The caller carries out the effects, reports events, and
 * sends `due` at the `earliest` of the deadlines.
 */
export function stepMembership(
  state: MembershipState,
  event: MembershipEvent,
  nowMs: number,
): MembershipStep {
  switch (event.type) {
    case 'enter':
      return enter(state, event.roomId, event.copySavedAtMs, nowMs)
    case 'removed':
      return remove(state, event.code)
    case 'connected':
      // A removed user comes back only on purpose.
      if (state.refusal === 'not_a_member') return withoutEffects({ ...state, isConnected: true })
      return join({ ...state, isConnected: true, lastJoinAtMs: null }, nowMs)
    case 'disconnected':
      return withoutEffects({ ...state, ...noPendingJoin, isConnected: false, isJoined: false })
    case 'joined':
      return withoutEffects(isAnswer(state, event.roomId) ? recordJoined(state) : state)
    case 'join_failed':
      return withoutEffects(isAnswer(state, event.roomId) ? recordFailure(state, event, nowMs) : state)
    case 'room_lost':
      return recover(state, nowMs)
    case 'retry':
      return retryJoin(state, nowMs)
    case 'leave':
      return leave(state)
    case 'due':
      return actOnDeadlines(state, nowMs)
  }
}

const noPendingJoin = { joiningSinceMs: null, lastJoinAtMs: null } as const

/** Ignores answers for another room or an earlier connection. */
const isAnswer = (state: MembershipState, roomId: string): boolean =>
  state.isConnected && state.roomId === roomId

const withoutEffects = (state: MembershipState): MembershipStep => ({ state, effects: [] })

/** Enters a room and leaves another. Ignores the same room within 2 s of its join (4.7e). */
function enter(
  state: MembershipState,
  roomId: string,
  copySavedAtMs: number | null,
  nowMs: number,
): MembershipStep {
  if (state.roomId === roomId && (state.isJoined || isDuplicate(state, nowMs))) return withoutEffects(state)
  const leaveStep = state.roomId === roomId ? withoutEffects(state) : leave(state)
  const copyAgeMs = copySavedAtMs === null ? Infinity : nowMs - copySavedAtMs
  const hasCopy = copyAgeMs >= 0 && copyAgeMs < limits.recoveryWindowMs
  const entered: MembershipState = {
    ...initialMembership,
    roomId,
    isConnected: state.isConnected,
    hasRoom: hasCopy,
    deadlines: {
      retryAtMs: null,
      checkAtMs: nowMs + limits.joinCheckIntervalMs,
      timeoutAtMs: hasCopy ? null : nowMs + limits.roomLoadingTimeoutMs,
    },
  }
  const step = join(entered, nowMs)
  return { state: step.state, effects: [...leaveStep.effects, ...step.effects] }
}

const isDuplicate = ({ lastJoinAtMs }: MembershipState, nowMs: number): boolean =>
  lastJoinAtMs !== null && nowMs - lastJoinAtMs < limits.duplicateJoinWindowMs

/** Sends a join, unless disconnected, joined or pending. */
function join(state: MembershipState, nowMs: number): MembershipStep {
  const { roomId, isConnected, isJoined, joiningSinceMs } = state
  if (roomId === null || !isConnected || isJoined || joiningSinceMs !== null || isDuplicate(state, nowMs)) {
    return withoutEffects(state)
  }
  const deadlines = {
    ...state.deadlines,
    retryAtMs: null,
    checkAtMs: state.deadlines.checkAtMs ?? nowMs + limits.joinCheckIntervalMs,
  }
  return {
    state: { ...state, joiningSinceMs: nowMs, lastJoinAtMs: nowMs, deadlines },
    effects: [{ type: 'join', roomId }],
  }
}

function recordJoined(state: MembershipState): MembershipState {
  return {
    ...state,
    isJoined: true,
    hasRoom: true,
    joiningSinceMs: null,
    failedJoins: 0,
    refusal: null,
    hasTimedOut: false,
    deadlines: initialMembership.deadlines,
  }
}

/**
 * Retries up to 3 times, 2 s apart; then only the check every 5 s remains (4.8a). A refusal ends it, as do too many
 * passwords: to send one again would count as another attempt.
 */
function recordFailure(
  state: MembershipState,
  { code, hadPassword = false }: Extract<MembershipEvent, { type: 'join_failed' }>,
  nowMs: number,
): MembershipState {
  const failed = { ...state, joiningSinceMs: null, isJoined: false }
  if (refusals.has(code) || (hadPassword && code === 'rate_limited')) {
    return { ...failed, hasRoom: false, refusal: code, deadlines: initialMembership.deadlines }
  }
  const failedJoins = state.failedJoins + 1
  const retryAtMs = failedJoins <= limits.joinRetries ? nowMs + limits.joinRetryIntervalMs : null
  return { ...failed, failedJoins, deadlines: { ...state.deadlines, retryAtMs } }
}

/** Ends the membership until the user retries. */
function remove(state: MembershipState, code: 'banned' | 'not_a_member'): MembershipStep {
  const { roomId } = state
  if (roomId === null) return withoutEffects(state)
  const removed = { ...state, ...noPendingJoin, isJoined: false, hasRoom: false, refusal: code }
  return {
    state: { ...removed, deadlines: initialMembership.deadlines },
    effects: [{ type: 'drop_copy', roomId }],
  }
}

/** Rejoins automatically while the room stays visible (4.10a). */
function recover(state: MembershipState, nowMs: number): MembershipStep {
  return state.isJoined
    ? join({ ...state, ...noPendingJoin, isJoined: false, failedJoins: 0 }, nowMs)
    : withoutEffects(state)
}

/** Restarts loading with fresh retries and timeout. */
function retryJoin(state: MembershipState, nowMs: number): MembershipStep {
  if (state.roomId === null || state.isJoined) return withoutEffects(state)
  const timeoutAtMs = state.hasRoom ? null : nowMs + limits.roomLoadingTimeoutMs
  const fresh: MembershipState = {
    ...state,
    lastJoinAtMs: null,
    failedJoins: 0,
    refusal: null,
    hasTimedOut: false,
    deadlines: { retryAtMs: null, checkAtMs: nowMs + limits.joinCheckIntervalMs, timeoutAtMs },
  }
  return join(fresh, nowMs)
}

/** Leaves the room on purpose. An unloaded page does not: it stays a member for the server's grace period (4.9). */
function leave({ roomId, isConnected }: MembershipState): MembershipStep {
  const state = { ...initialMembership, isConnected }
  if (roomId === null) return withoutEffects(state)
  const notify: MembershipEffect[] = isConnected ? [{ type: 'notify_leave', roomId }] : []
  return { state, effects: [...notify, { type: 'drop_copy', roomId }] }
}

function actOnDeadlines(state: MembershipState, nowMs: number): MembershipStep {
  const { retryAtMs, checkAtMs, timeoutAtMs } = state.deadlines
  const deadlines = {
    retryAtMs: isDue(retryAtMs, nowMs) ? null : retryAtMs,
    checkAtMs: isDue(checkAtMs, nowMs) ? nowMs + limits.joinCheckIntervalMs : checkAtMs,
    timeoutAtMs: isDue(timeoutAtMs, nowMs) ? null : timeoutAtMs,
  }
  const hasTimedOut = state.hasTimedOut || isDue(timeoutAtMs, nowMs)
  const checked = { ...state, hasTimedOut, deadlines }
  const isJoinDue = isDue(retryAtMs, nowMs) || (isDue(checkAtMs, nowMs) && retryAtMs === null)
  return isJoinDue ? join(checked, nowMs) : withoutEffects(checked)
}
