import type { ErrorCode } from '../protocol/errors.ts'

/** Being in a room (4.7 to 4.10) as data. Instants in ms of the caller's clock, which must not go back. */

/** What the room's page shows (2.17). */
export type MembershipPhase = 'loading' | 'connecting' | 'not_found' | 'joined'

export interface MembershipState {
  roomId: string | null
  isConnected: boolean
  /** The server said yes, on the present connection. */
  isJoined: boolean
  /** There is a room to show: from the server, or from the session's copy. */
  hasRoom: boolean
  /** Since when a join is under way, or null. */
  joiningSinceMs: number | null
  /** When the latest join of this room on this connection was sent. */
  lastJoinAtMs: number | null
  failedJoins: number
  /** Why the room cannot be shown; with a timeout there is none. */
  refusal: ErrorCode | null
  hasTimedOut: boolean
  deadlines: MembershipDeadlines
}

export interface MembershipDeadlines {
  /** A failed join is tried again. */
  retryAtMs: number | null
  /** While not joined: is anything under way? */
  checkAtMs: number | null
  /** Loading without a room ends. */
  timeoutAtMs: number | null
}

export type MembershipEvent =
  /** `copySavedAtMs`: when this session's copy of the room was saved, or null where there is none. */
  | { type: 'enter'; roomId: string; copySavedAtMs: number | null }
  | { type: 'connected' }
  | { type: 'disconnected' }
  | { type: 'joined'; roomId: string }
  /** The server refused the join, or did not answer (`unavailable`). */
  | { type: 'join_failed'; roomId: string; code: ErrorCode }
  /** The server does not count us as a member any more, or the page lost the room's data. */
  | { type: 'room_lost' }
  /** The user tries again, with a password or without. */
  | { type: 'retry' }
  /** `isIntended`: the user leaves; otherwise the page goes away. */
  | { type: 'leave'; isIntended: boolean }
  /** The time of `nextMembershipDeadline` has come. Harmless at any other time. */
  | { type: 'due' }

export type MembershipEffect =
  /** Ask the server; answer with `joined` or `join_failed`. */
  | { type: 'join'; roomId: string }
  /** Show the session's copy until the server has answered. */
  | { type: 'show_copy'; roomId: string }
  /** Tell the server (`user_left`). */
  | { type: 'notify_leave'; roomId: string }
  /** Clear what the page holds of the room. */
  | { type: 'clear_room' }
  /** Keep the room's data in the session for a recovery, or drop them. */
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

/** When `due` is to be sent, or null. */
export function nextMembershipDeadline({ deadlines }: MembershipState): number | null {
  const times = Object.values(deadlines).filter((atMs): atMs is number => atMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** A room that is held is shown through a lost connection; without one, the connection comes first. */
export function membershipPhase(state: MembershipState): MembershipPhase {
  if (state.refusal !== null) return 'not_found'
  if (state.hasRoom) return 'joined'
  if (state.hasTimedOut) return 'not_found'
  return state.isConnected ? 'loading' : 'connecting'
}
