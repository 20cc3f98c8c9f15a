import { limits } from '@earshot/core/limits'
import { memo, type ReactNode, useSyncExternalStore } from 'react'
import {
  type MessageHistory,
  type MessageRecord,
  type Outcome,
  NoAnswerError,
} from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { locale } from '../../../texts/language.ts'

/** Lists the latest messages in each direction, newest first (2.37b). */
export function MessageLists({ history }: { history: MessageHistory }) {
  const { sent, received } = useSyncExternalStore(history.subscribe, history.read)
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <MessageList title={texts.sent} empty={texts.nothingSent}>
        {sent.map((message) => (
          <MessageRow key={message.id} message={message} outcome={message.outcome} />
        ))}
      </MessageList>
      <MessageList title={texts.received} empty={texts.nothingReceived}>
        {received.map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
      </MessageList>
    </div>
  )
}

interface MessageListProps {
  title: string
  /** Shown for an empty list. */
  empty: string
  children: ReactNode[]
}

function MessageList({ title, empty, children }: MessageListProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-md bg-page ring-1 ring-line ring-inset">
      <h3 className="flex items-baseline justify-between px-4 pt-3 pb-2 text-sm font-medium">
        {title}
        <span className="text-xs text-ink-muted">{texts.latest(limits.messageHistorySize)}</span>
      </h3>
      {children.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-muted">{empty}</p>
      ) : (
        <ol
          aria-label={title}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
          tabIndex={0}
          className="scroll-list max-h-80 rounded-md px-4"
        >
          {children}
        </ol>
      )}
    </section>
  )
}

const timeFormat = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

interface MessageRowProps {
  message: MessageRecord
  /** Of a sent message; null until it is answered. */
  outcome?: Outcome | null
}

/** Shows one message. Memoised because describing a large payload is slow. */
const MessageRow = memo(function MessageRow({ message, outcome }: MessageRowProps) {
  const payload = message.describe()
  return (
    <li className="border-t border-line py-2.5 first:border-none">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <time className="font-mono text-xs text-ink-muted" dateTime={new Date(message.atMs).toISOString()}>
          {timeFormat.format(message.atMs)}
        </time>
        <span className="font-mono text-sm font-medium">{message.event}</span>
        {outcome !== undefined && <Answer outcome={outcome} />}
      </p>
      {payload !== '' && (
        <code className="mt-1 line-clamp-2 text-xs break-all text-ink-muted">{payload}</code>
      )}
    </li>
  )
})

function Answer({ outcome }: { outcome: Outcome | null }) {
  if (!outcome) return <span className="ms-auto text-xs text-ink-muted">{texts.waiting}</span>
  const { afterMs, error } = outcome
  const ms = Math.round(afterMs)
  if (!error) return <span className="ms-auto text-xs text-brand-text">{texts.acknowledged(ms)}</span>
  const reason = error instanceof NoAnswerError ? texts.noAcknowledgment : error.code
  return <span className="ms-auto text-xs text-video">{texts.failedAfter(reason, ms)}</span>
}
