import { CircleCheck, CircleX } from 'lucide-react'
import type { TestOutcome } from './test-outcome.ts'

/** What came of a test; said as it comes. */
export function TestResult({ outcome }: { outcome: TestOutcome | null }) {
  return (
    <output className="block">
      {outcome && (
        <span className="mt-3 block rounded-md bg-page px-4 py-3 ring-1 ring-line ring-inset">
          <span className="flex items-start gap-2.5 text-sm">
            <OutcomeIcon kind={outcome.kind} />
            <span className="min-w-0 break-words">
              <span className="font-medium">{outcome.title}</span>
              <span className="block text-ink-muted">{outcome.text}</span>
            </span>
          </span>
          {outcome.details !== undefined && <Details text={outcome.details} />}
        </span>
      )}
    </output>
  )
}

function OutcomeIcon({ kind }: Pick<TestOutcome, 'kind'>) {
  const look = 'mt-0.5 size-4.5 shrink-0'
  if (kind === 'error') return <CircleX aria-hidden className={`${look} text-video`} />
  return <CircleCheck aria-hidden className={`${look} text-brand-text`} />
}

function Details({ text }: { text: string }) {
  return (
    <code
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      className="mt-2.5 block max-h-56 overflow-auto rounded-sm text-xs break-all whitespace-pre-wrap text-ink-muted"
    >
      {text}
    </code>
  )
}
