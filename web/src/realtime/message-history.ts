import { limits } from '@earshot/core/limits'
import type { AppError } from '@earshot/core/protocol/errors'
import { describePayload } from './describe-payload.ts'
import type { NoteSent } from './server-socket.ts'
import { wallNow } from './wall-clock.ts'

/** One message. Its payload is out of reach: what is read of it is short and has its secrets masked. */
export interface MessageRecord {
  id: number
  /** In ms since 1970. */
  atMs: number
  event: string
  describe: () => string
}

/** How a message was answered, in ms after it went out; `error` is null where it was acknowledged. */
export interface Outcome {
  afterMs: number
  error: AppError | null
}

export interface SentRecord extends MessageRecord {
  /** Null while no answer has come. */
  outcome: Outcome | null
}

/** The latest messages each way, newest first. */
export interface Messages {
  sent: readonly SentRecord[]
  received: readonly MessageRecord[]
}

export const noMessages: Messages = { sent: [], received: [] }

export const addSent = (messages: Messages, message: MessageRecord): Messages => ({
  ...messages,
  sent: keepLatest({ ...message, outcome: null }, messages.sent),
})

export const addReceived = (messages: Messages, message: MessageRecord): Messages => ({
  ...messages,
  received: keepLatest(message, messages.received),
})

/** One that has dropped out of the history is not brought back by its answer. */
export const addOutcome = (messages: Messages, id: number, outcome: Outcome): Messages => ({
  ...messages,
  sent: messages.sent.map((message) => (message.id === id ? { ...message, outcome } : message)),
})

const keepLatest = <Kept>(latest: Kept, earlier: readonly Kept[]): readonly Kept[] => [
  latest,
  ...earlier.slice(0, limits.messageHistorySize - 1),
]

/** The messages of a connection as they come and go (2.37b). Nothing is read of them until somebody looks. */
export interface MessageHistory {
  read: () => Messages
  /** Calls back with every change. Returns what stops it. */
  subscribe: (listener: () => void) => () => void
  noteSent: NoteSent
  noteReceived: (event: string, payload: unknown) => void
}

export function createMessageHistory(now: () => number = wallNow): MessageHistory {
  let messages = noMessages
  let count = 0
  const listeners = new Set<() => void>()
  const change = (next: Messages) => {
    messages = next
    for (const listener of listeners) listener()
  }
  const record = (event: string, payload: unknown): MessageRecord => ({
    id: ++count,
    atMs: now(),
    event,
    describe: () => describePayload(payload),
  })
  return {
    read: () => messages,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noteSent(event, payload) {
      const message = record(event, payload)
      change(addSent(messages, message))
      return (error) => change(addOutcome(messages, message.id, { afterMs: now() - message.atMs, error }))
    },
    noteReceived: (event, payload) => change(addReceived(messages, record(event, payload))),
  }
}
