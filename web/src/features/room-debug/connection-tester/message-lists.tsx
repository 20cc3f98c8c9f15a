import { limits } from '@earshot/core/limits'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { MessageHistory } from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts.ts'
import { MessageRow } from './message-row.tsx'

/** The latest messages each way, newest first (2.37b). */
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
  /** What stands for a list that has nothing in it. */
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
          className="max-h-80 scroll-list rounded-md px-4"
        >
          {children}
        </ol>
      )}
    </section>
  )
}
