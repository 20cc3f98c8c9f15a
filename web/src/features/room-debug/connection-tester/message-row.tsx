import { memo } from 'react'
import { type MessageRecord, type Outcome, NoAnswerError } from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts.ts'

const timeFormat = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

interface MessageRowProps {
  message: MessageRecord
  /** Of a sent message; null while no answer has come. */
  outcome?: Outcome | null
}

/** One message. Drawn once and again when it is answered: describing a large one takes its time. */
export const MessageRow = memo(function MessageRow({ message, outcome }: MessageRowProps) {
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
  if (!outcome) return <span className="ml-auto text-xs text-ink-muted">{texts.waiting}</span>
  const { afterMs, error } = outcome
  const ms = Math.round(afterMs)
  if (!error) return <span className="ml-auto text-xs text-brand-text">{texts.acknowledged(ms)}</span>
  const reason = error instanceof NoAnswerError ? texts.noAcknowledgment : error.code
  return <span className="ml-auto text-xs text-video">{texts.failedAfter(reason, ms)}</span>
}
