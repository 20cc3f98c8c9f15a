import { limits } from '@earshot/core/limits'
import type { AppError } from '@earshot/core/protocol/errors'
import type { NoteSent } from './server-socket.ts'
import { wallNow } from '../wall-clock.ts'

/** One message. Its payload is only available as a short description with secrets masked. */
export interface MessageRecord {
  id: number
  /** In ms since 1970. */
  atMs: number
  event: string
  describe: () => string
}

/** The answer to a message, in ms after it was sent; `error` is null if it was acknowledged. */
export interface Outcome {
  afterMs: number
  error: AppError | null
}

interface SentRecord extends MessageRecord {
  /** Null while unanswered. */
  outcome: Outcome | null
}

/** The latest messages each way, newest first. */
interface Messages {
  sent: readonly SentRecord[]
  received: readonly MessageRecord[]
}

const noMessages: Messages = { sent: [], received: [] }

const addSent = (messages: Messages, message: MessageRecord): Messages => ({
  ...messages,
  sent: keepLatest({ ...message, outcome: null }, messages.sent),
})

const addReceived = (messages: Messages, message: MessageRecord): Messages => ({
  ...messages,
  received: keepLatest(message, messages.received),
})

/** Has no effect for a message that has dropped out of the history. */
const addOutcome = (messages: Messages, id: number, outcome: Outcome): Messages => ({
  ...messages,
  sent: messages.sent.map((message) => (message.id === id ? { ...message, outcome } : message)),
})

const keepLatest = <Kept>(latest: Kept, earlier: readonly Kept[]): readonly Kept[] => [
  latest,
  ...earlier.slice(0, limits.messageHistorySize - 1),
]

/** Records a connection's messages (2.37b). Payloads are described on demand only. */
export interface MessageHistory {
  read: () => Messages
  /** Calls back after every change. Returns a function that unsubscribes. */
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

const secretName = /passw|secret|token|cookie|authorization/i
const mask = '••••••'
const longestText = 80
const longestPrint = 2_000
const longestList = 3

/** Describes a payload as one line of JSON, secrets masked, long texts and lists shortened. */
export function describePayload(payload: unknown, maxLength = 240): string {
  return shorten(JSON.stringify(payload, maskSecrets) ?? '', maxLength)
}

/** Like `describePayload`, over several lines. */
export function printPayload(payload: unknown): string {
  return shorten(JSON.stringify(payload, maskSecrets, 2) ?? '', longestPrint)
}

/** A replacer for `JSON.stringify`. Empty secrets are shown. */
function maskSecrets(name: string, value: unknown): unknown {
  if (secretName.test(name) && value !== null && value !== undefined && value !== '') return mask
  if (typeof value === 'string') return shorten(value, longestText)
  if (Array.isArray(value) && value.length > longestList) {
    return [...value.slice(0, longestList), `… ${value.length - longestList} more`]
  }
  return value
}

const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
