import type { ErrorCode } from '../protocol/errors.ts'

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
  /** The server's reason for refusing; null after a timeout. */
  refusal: ErrorCode | null
  hasTimedOut: boolean
  deadlines: MembershipDeadlines
}

export interface MembershipDeadlines {
  /** Retry of a failed join. */
  retryAtMs: number | null
  /** Periodic check while not joined. */
  checkAtMs: number | null
  /** End of loading without a room. */
  timeoutAtMs: number | null
}

export type MembershipEvent =
  /** `copySavedAtMs`: when the recovery copy was saved, or null without one. */
  | { type: 'enter'; roomId: string; copySavedAtMs: number | null }
  | { type: 'connected' }
  | { type: 'disconnected' }
  | { type: 'joined'; roomId: string }
  /** The server refused the join, or did not answer (`unavailable`). */
  | { type: 'join_failed'; roomId: string; code: ErrorCode }
  /** The server ended the membership, or the page lost the room's data. */
  | { type: 'room_lost' }
  /** The user retries, with or without a password. */
  | { type: 'retry' }
  /** `isIntended`: the user leaves; otherwise the page is unloaded. */
  | { type: 'leave'; isIntended: boolean }
  /** `nextMembershipDeadline` is reached. Harmless at any other time. */
  | { type: 'due' }

export type MembershipEffect =
  /** Sends the join; report `joined` or `join_failed`. */
  | { type: 'join'; roomId: string }
  /** Shows the recovery copy until the server has answered. */
  | { type: 'show_copy'; roomId: string }
  /** Sends `user_left`. */
  | { type: 'notify_leave'; roomId: string }
  /** Clears the room's data on the page. */
  | { type: 'clear_room' }
  /** Saves or deletes the recovery copy. */
  | { type: 'keep_copy'; roomId: string; atMs: number }
  | { type: 'drop_copy'; roomId: string }

export interface MembershipStep {
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

/** Returns when to send `due`, or null. */
export function nextMembershipDeadline({ deadlines }: MembershipState): number | null {
  const times = Object.values(deadlines).filter((atMs): atMs is number => atMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** Derives the phase. Available room data is shown even while disconnected. */
export function membershipPhase(state: MembershipState): MembershipPhase {
  if (state.refusal !== null) return 'not_found'
  if (state.hasRoom) return 'joined'
  if (state.hasTimedOut) return 'not_found'
  return state.isConnected ? 'loading' : 'connecting'
}
