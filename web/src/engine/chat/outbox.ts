import { limits } from '@earshot/core/limits'
import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import type { ServerCalls } from '../../realtime/server-connection.ts'
import { randomId } from '../random-id.ts'
import { update, watch, type RoomState, type RoomStore } from '../state/room-state.ts'
import { readStoredJson, type StorageKey, writeStoredJson } from '../../storage.ts'
import { applyMessage } from './chat-history.ts'
import type { OutgoingMessage } from './chat-state.ts'
import { wallNow } from '../../wall-clock.ts'

/** Messages that wait at a time; beyond them the page keeps the text in its field. */
const outboxSize = 20
const retryMs = 2_000
/** Where the server does not say how long to wait. */
const floodWaitMs = limits.rates.chat.perMs
/** A timer may be early. */
const floodMarginMs = 20

interface OutboxParts {
  roomId: string
  store: RoomStore
  connection: Pick<ServerCalls, 'call' | 'isConnected'>
  /** Called when the server no longer counts this page as a member. */
  onLost: () => void
}

const keyOf = (userId: string, roomId: string): StorageKey => `outbox:v1:${userId}:${roomId}`

/** Returns what waited in this tab before a reload. */
export const readOutgoing = (userId: string, roomId: string): readonly OutgoingMessage[] =>
  readStoredJson<OutgoingMessage[]>('tab', keyOf(userId, roomId)) ?? []

/** Returns how long it is until an instant on the client's clock, in ms; 0 if it is past. */
export const msUntil = (atMs: number): number => Math.max(0, atMs - wallNow())

/** Sends the viewer's messages in their order, each until it is acknowledged or refused; kept over a reload. */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #stops: (() => void)[]
  #isSending = false
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: OutboxParts) {
    const { roomId, store } = parts
    this.#parts = parts
    this.#stops = [
      watch(store, ['userId', 'outgoing'], ({ userId, outgoing }) =>
        writeStoredJson('tab', keyOf(userId, roomId), outgoing.length > 0 ? outgoing : null),
      ),
      watch(store, ['phase', 'chatPausedUntilMs'], (state, before) => {
        if (canSend(state) && !canSend(before)) this.flush()
      }),
    ]
  }

  /** Returns false, and takes nothing, if too many messages wait already. */
  add(content: string): boolean {
    const { store } = this.#parts
    if (store.getState().outgoing.length >= outboxSize) return false
    const message = { id: randomId(), content, writtenAtMs: wallNow(), failure: null }
    store.setState(({ outgoing }) => ({ outgoing: [...outgoing, message] }))
    this.flush()
    return true
  }

  /** Sends a refused message again. */
  retry(id: string): void {
    this.#setFailure(id, null)
    this.flush()
  }

  /** Drops a message, unless it has reached the server. */
  discard(id: string): void {
    this.#parts.store.setState(({ outgoing }) => ({
      outgoing: outgoing.filter((message) => message.id !== id),
    }))
  }

  /** Sends what waits; call after joining again. A first join is noticed. */
  flush(): void {
    if (!this.#isSending) void this.#sendAll()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    for (let next = this.#next(); next; next = this.#next()) {
      if (!(await this.#send(next))) break
    }
    this.#isSending = false
  }

  #next(): OutgoingMessage | undefined {
    const state = this.#parts.store.getState()
    if (this.#isStopped || !canSend(state) || !this.#parts.connection.isConnected()) return undefined
    return state.outgoing.find(({ failure }) => failure === null)
  }

  /** Resolves to whether the next message can be sent now. */
  async #send({ id, content }: OutgoingMessage): Promise<boolean> {
    const { roomId, store, connection } = this.#parts
    try {
      const payload = { roomId, message: content, clientMessageId: id }
      const { message } = await connection.call('send_message', payload)
      update(store, (state) => applyMessage(state, message))
      this.discard(id)
      return true
    } catch (error) {
      return !this.#isStopped && this.#onFailed(id, error)
    }
  }

  /** A message without an answer, or sent too fast, waits; the viewer decides about any other refusal. */
  #onFailed(id: string, error: unknown): boolean {
    const { code, details } = error instanceof AppError ? error : new AppError('internal')
    if (code === 'not_a_member') {
      this.#parts.onLost()
      return false
    }
    if (code === 'unavailable') {
      this.#flushIn(retryMs)
      return false
    }
    if (code === 'rate_limited') {
      const waitMs = details.retryAfterMs ?? floodWaitMs
      this.#parts.store.setState({ chatPausedUntilMs: wallNow() + waitMs })
      this.#flushIn(waitMs + floodMarginMs)
      return false
    }
    this.#setFailure(id, code)
    return true
  }

  #setFailure(id: string, failure: ErrorCode | null): void {
    this.#parts.store.setState(({ outgoing }) => ({
      outgoing: outgoing.map((message) => (message.id === id ? { ...message, failure } : message)),
    }))
  }

  #flushIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), ms)
  }
}

function canSend({ phase, chatPausedUntilMs }: Pick<RoomState, 'phase' | 'chatPausedUntilMs'>): boolean {
  return phase === 'joined' && (chatPausedUntilMs === null || msUntil(chatPausedUntilMs) === 0)
}
