import { stepMembership } from '@earshot/core/machines/membership'
import {
  initialMembership,
  membershipPhase,
  nextMembershipDeadline,
  type MembershipEffect,
  type MembershipEvent,
  type MembershipState,
} from '@earshot/core/machines/membership-state'
import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import type { RoomSnapshot } from '@earshot/core/protocol/entities'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { wallNow } from '../realtime/wall-clock.ts'
import type { RoomPhase } from './state/room-state.ts'

export interface MembershipParts {
  roomId: string
  connection: ServerCalls
  onJoined: (snapshot: RoomSnapshot) => void
  onPhase: (phase: RoomPhase, joinError: ErrorCode | null) => void
  /** The room is left on purpose: what is kept of it for a recovery goes too. */
  onLeft: () => void
}

/** Who leaves does not wait longer than this for the server to have heard it. */
const goodbyeTimeoutMs = 1_000

/** Gets this page into its room and back into it, as core's membership machine says (4.7 to 4.10). */
export class RoomMembership {
  readonly #parts: MembershipParts
  #state: MembershipState = initialMembership
  #password: string | null = null
  /** Why the latest join failed, while it is being tried again. */
  #failure: ErrorCode | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #goodbye: Promise<unknown> = Promise.resolve()

  constructor(parts: MembershipParts) {
    this.#parts = parts
  }

  /** `copySavedAtMs`: when the copy of the room that is shown already was saved, or null where there is none. */
  enter(copySavedAtMs: number | null): void {
    this.#step({ type: 'enter', roomId: this.#parts.roomId, copySavedAtMs })
  }

  onConnected(): void {
    this.#step({ type: 'connected' })
  }

  onDisconnected(): void {
    this.#step({ type: 'disconnected' })
  }

  /** The server does not count this page as a member any more. */
  onLost(): void {
    this.#step({ type: 'room_lost' })
  }

  /** Tries again, from now on with a password. */
  submitPassword(password: string): void {
    this.#password = password
    this.retry()
  }

  retry(): void {
    this.#failure = null
    this.#step({ type: 'retry' })
  }

  /** Resolves when the server knows, or will not be told any more. */
  async leave(): Promise<void> {
    this.#step({ type: 'leave', isIntended: true })
    clearTimeout(this.#timer)
    await this.#goodbye
  }

  #step(event: MembershipEvent): void {
    const { state, effects } = stepMembership(this.#state, event, wallNow())
    this.#state = state
    clearTimeout(this.#timer)
    const dueAtMs = nextMembershipDeadline(state)
    if (dueAtMs !== null) {
      this.#timer = setTimeout(() => this.#step({ type: 'due' }), Math.max(0, dueAtMs - wallNow()))
    }
    if (state.roomId !== null) {
      this.#parts.onPhase(membershipPhase(state), state.refusal ?? this.#failure)
    }
    for (const effect of effects) this.#carryOut(effect)
  }

  #carryOut(effect: MembershipEffect): void {
    switch (effect.type) {
      case 'join':
        void this.#join(effect.roomId)
        return
      case 'notify_leave':
        this.#goodbye = this.#sayGoodbye(effect.roomId)
        return
      case 'drop_copy':
        this.#parts.onLeft()
        return
      // The copy is shown from the first moment on, kept when the page is hidden, and the rest goes with the session.
      case 'show_copy':
      case 'keep_copy':
      case 'clear_room':
    }
  }

  async #join(roomId: string): Promise<void> {
    const { connection, onJoined } = this.#parts
    try {
      const snapshot = await connection.call('join_room', { roomId, password: this.#password })
      if (this.#state.roomId !== roomId) return
      this.#failure = null
      onJoined(snapshot)
      this.#step({ type: 'joined', roomId })
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal'
      // A join that was lost with its connection was refused by nobody: it is sent again with the next one.
      if (this.#state.isConnected) this.#failure = code
      this.#step({ type: 'join_failed', roomId, code })
    }
  }

  async #sayGoodbye(roomId: string): Promise<void> {
    try {
      await this.#parts.connection.call('user_left', { roomId }, { timeoutMs: goodbyeTimeoutMs })
    } catch {
      // The server notices by itself when the connection goes.
    }
  }
}
