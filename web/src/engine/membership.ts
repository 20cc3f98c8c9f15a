import { limits } from '@earshot/core/limits'
import { earliest } from '@earshot/core/machines/deadlines'
import {
  stepMembership,
  initialMembership,
  membershipPhase,
  type MembershipEffect,
  type MembershipEvent,
  type MembershipPhase,
  type MembershipState,
} from '@earshot/core/machines/membership'
import { AppError, codeOf, type ErrorCode } from '@earshot/core/protocol/errors'
import type { RoomSnapshot } from '@earshot/core/protocol/entities'
import type { ClientPayload, ServerPayload } from '@earshot/core/protocol/socket-events'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { readInvite } from '../api/door.ts'
import { createDueTimer } from '../timing.ts'
import { wallNow } from '../wall-clock.ts'

interface MembershipParts {
  roomId: string
  userId: string
  connection: ServerCalls
  onJoined: (snapshot: RoomSnapshot) => void
  /** `retryAtMs`: when another attempt is allowed, ms since the epoch; null if the server did not say. */
  onPhase: (phase: MembershipPhase, joinError: ErrorCode | null, retryAtMs: number | null) => void
  /** The room was left on purpose, or its owner removed this user: its recovery copy is to be dropped. */
  onLeft: () => void
}

/** The connection stays open at most this long for `user_left`. */
const leaveTimeoutMs = 1_000

/** Joins and rejoins this page's room by core's membership machine (4.7 to 4.10). */
export class RoomMembership {
  readonly #parts: MembershipParts
  #state: MembershipState = initialMembership
  #password: string | null = null
  #invite = readInvite()
  /** The error of the latest join, while it is retried. */
  #failure: ErrorCode | null = null
  #retryAtMs: number | null = null
  readonly #setTimer = createDueTimer(() => this.#step({ type: 'due' }))
  #leaving: Promise<unknown> = Promise.resolve()

  constructor(parts: MembershipParts) {
    this.#parts = parts
  }

  /** Enters the room. `copySavedAtMs`: when the recovery copy shown already was saved, or null without one. */
  enter(copySavedAtMs: number | null): void {
    window.addEventListener('hashchange', this.#onHashChange)
    this.#step({ type: 'enter', roomId: this.#parts.roomId, copySavedAtMs })
  }

  onConnected(): void {
    this.#step({ type: 'connected' })
  }

  onDisconnected(): void {
    this.#step({ type: 'disconnected' })
  }

  /** Rejoins: the server no longer counts this page as a member. */
  onLost(): void {
    this.#step({ type: 'room_lost' })
  }

  /** Ends the membership that the owner of the room ended. */
  onRemoved(reason: ServerPayload<'removed_from_room'>['reason']): void {
    this.#step({ type: 'removed', code: reason === 'banned' ? 'banned' : 'not_a_member' })
  }

  /** Retries, from now on with a password. */
  submitPassword(password: string): void {
    this.#password = password
    this.retry()
  }

  retry(): void {
    this.#failure = null
    this.#step({ type: 'retry' })
  }

  /** Leaves on purpose. Resolves when `user_left` was acknowledged or given up. */
  async leave(): Promise<void> {
    window.removeEventListener('hashchange', this.#onHashChange)
    this.#step({ type: 'leave' })
    this.#setTimer(null)
    await this.#leaving
  }

  /** Retries with an invite link that was opened in this tab: only the fragment of its address is new to the browser. */
  readonly #onHashChange = (): void => {
    const invite = readInvite()
    if (invite === null) return
    this.#invite = invite
    this.retry()
  }

  #step(event: MembershipEvent): void {
    const { state, effects } = stepMembership(this.#state, event, wallNow())
    this.#state = state
    this.#setTimer(earliest(state.deadlines))
    if (state.roomId !== null) {
      this.#parts.onPhase(membershipPhase(state), state.refusal ?? this.#failure, this.#retryAtMs)
    }
    for (const effect of effects) this.#run(effect)
  }

  #run(effect: MembershipEffect): void {
    switch (effect.type) {
      case 'join':
        void this.#join(effect.roomId)
        return
      case 'notify_leave':
        this.#leaving = this.#notifyLeave(effect.roomId)
        return
      case 'drop_copy':
        this.#parts.onLeft()
    }
  }

  async #join(roomId: string): Promise<void> {
    const { connection, onJoined } = this.#parts
    try {
      const snapshot = await connection.call('join_room', this.#request(roomId), {
        timeoutMs: limits.roomLoadingTimeoutMs,
        // With a password it would count as another attempt.
        repeat:
          this.#password === null ? { afterMs: limits.joinCheckIntervalMs, isEndless: true } : undefined,
      })
      if (this.#state.roomId !== roomId) return
      this.#failure = null
      onJoined(snapshot)
      this.#step({ type: 'joined', roomId })
    } catch (error) {
      const code = codeOf(error)
      // A join lost with its connection is no refusal: it is sent again on the next connection.
      if (this.#state.isConnected) this.#failure = code
      const retryAfterMs = error instanceof AppError ? error.details.retryAfterMs : undefined
      this.#retryAtMs = retryAfterMs === undefined ? null : Date.now() + retryAfterMs
      this.#step({ type: 'join_failed', roomId, code, hadPassword: this.#password !== null })
    }
  }

  #request(roomId: string): ClientPayload<'join_room'> {
    return {
      roomId,
      user: { id: this.#parts.userId },
      password: this.#password,
      invite: this.#invite,
      queueDeltas: true,
      longQueues: true,
      syncChanges: true,
    }
  }

  async #notifyLeave(roomId: string): Promise<void> {
    try {
      await this.#parts.connection.call('user_left', { roomId }, { timeoutMs: leaveTimeoutMs })
    } catch {
      // The server notices the closed connection.
    }
  }
}
