import { limits } from '@earshot/core/limits'
import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import type { ServerCalls } from '../../realtime/server-connection.ts'
import { wallNow } from '../../realtime/server-clock.ts'
import { update, type RoomState, type RoomStore } from '../state/room-state.ts'
import { readTabItem, writeTabItem } from '../state/tab-storage.ts'
import { applyMessage } from './chat-history.ts'

/** A message of the viewer that the server has not acknowledged. */
export interface OutgoingMessage {
  /** Given by this page: the server stores a message with the same id once. */
  id: string
  content: string
  writtenAtMs: number
  /** Why the server refused it; null while it waits to be sent, or for its answer. */
  failure: ErrorCode | null
}

/** Messages that wait at a time; beyond them the page keeps the text in its field. */
const outboxSize = 20
const retryMs = 2_000
/** Where the server does not say how long to wait. */
const floodWaitMs = limits.rates.chat.perMs
/** A timer may be early. */
const floodMarginMs = 20

/** Returns how long it is until an instant on the client's clock, in ms; 0 if it is past. */
export const msUntil = (atMs: number): number => Math.max(0, atMs - wallNow())

export interface OutboxParts {
  roomId: string
  store: RoomStore
  connection: Pick<ServerCalls, 'call' | 'isConnected'>
  createId: () => string
  /** Called when the server no longer counts this page as a member. */
  onLost: () => void
}

/** Sends the viewer's messages in their order, each until it is acknowledged or refused; kept over a reload. */
export interface Outbox {
  /** Returns false, and takes nothing, if too many messages wait already. */
  add(content: string): boolean
  /** Sends a refused message again. */
  retry(id: string): void
  discard(id: string): void
  /** Sends what waits; call after joining. */
  flush(): void
  stop(): void
}

const keyOf = (userId: string, roomId: string): string => `outbox:v1:${userId}:${roomId}`

export const readOutgoing = (userId: string, roomId: string): readonly OutgoingMessage[] =>
  readTabItem<OutgoingMessage[]>(keyOf(userId, roomId)) ?? []

export function createOutbox({ roomId, store, connection, createId, onLost }: OutboxParts): Outbox {
  const { userId } = store.getState()
  let isSending = false
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const change = (apply: (outgoing: readonly OutgoingMessage[]) => readonly OutgoingMessage[]) =>
    update(store, (state) => ({ ...state, outgoing: apply(state.outgoing) }))
  const setFailure = (id: string, failure: ErrorCode | null) =>
    change((outgoing) => outgoing.map((message) => (message.id === id ? { ...message, failure } : message)))
  const remove = (id: string) => change((outgoing) => outgoing.filter((message) => message.id !== id))

  const flushIn = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), ms)
  }

  /** A message without an answer, or sent too fast, stays; any other refusal is for the viewer to decide about. */
  const onRefused = (id: string, error: unknown) => {
    const { code, details } = error instanceof AppError ? error : new AppError('internal')
    if (code === 'not_a_member') return onLost()
    if (code === 'unavailable') return flushIn(retryMs)
    if (code !== 'rate_limited') return setFailure(id, code)
    const waitMs = details.retryAfterMs ?? floodWaitMs
    update(store, (state) => ({ ...state, chatPausedUntilMs: wallNow() + waitMs }))
    flushIn(waitMs + floodMarginMs)
  }

  const sendFirst = async (): Promise<boolean> => {
    const state = store.getState()
    const next = state.outgoing.find(({ failure }) => failure === null)
    if (isStopped || !next || !canSend(state) || !connection.isConnected()) return false
    const { id: clientMessageId, content } = next
    try {
      const { message } = await connection.call('send_message', { roomId, message: content, clientMessageId })
      update(store, (before) => applyMessage(before, message))
      remove(clientMessageId)
      return true
    } catch (error) {
      if (isStopped) return false
      onRefused(clientMessageId, error)
      return store.getState().outgoing.some(({ id, failure }) => id === clientMessageId && failure !== null)
    }
  }

  const flush = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    while (await sendFirst());
    isSending = false
  }

  const unsubscribe = store.subscribe(({ outgoing }, before) => {
    if (outgoing !== before.outgoing)
      writeTabItem(keyOf(userId, roomId), outgoing.length > 0 ? outgoing : null)
  })

  return {
    add(content) {
      if (store.getState().outgoing.length >= outboxSize) return false
      const message = { id: createId(), content, writtenAtMs: wallNow(), failure: null }
      change((outgoing) => [...outgoing, message])
      void flush()
      return true
    },
    retry(id) {
      setFailure(id, null)
      void flush()
    },
    discard: remove,
    flush: () => void flush(),
    stop() {
      isStopped = true
      clearTimeout(timer)
      unsubscribe()
    },
  }
}

function canSend({ phase, chatPausedUntilMs }: RoomState): boolean {
  return phase === 'joined' && (chatPausedUntilMs === null || wallNow() >= chatPausedUntilMs)
}
