import { CircleCheck, CircleX } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { joinClasses } from '../../../ui/class-names.ts'
import { notify } from '../../../ui/notices/notify.ts'
import type { TestOutcome } from './test-outcome.ts'

interface TestSectionProps {
  title: string
  text: string
  /** The label of the button that starts the test. */
  action: string
  test: Test
  onStart: () => void
  /** Input fields of the test. */
  children?: ReactNode
}

/** Shows a test: its description, input, start button and result. */
export function TestSection({ title, text, action, test, onStart, children }: TestSectionProps) {
  const start = (event: FormEvent) => {
    event.preventDefault()
    if (!test.isRunning) onStart()
  }
  return (
    <section aria-label={title} className="border-t border-line py-5 first:border-none first:pt-0 last:pb-0">
      <form
        noValidate
        onSubmit={start}
        className={joinClasses('flex flex-col gap-4', !children && 'sm:flex-row sm:justify-between')}
      >
        <div className="min-w-0">
          <h3 className="font-medium">{title}</h3>
          <p className="mt-0.5 text-sm text-pretty text-ink-muted">{text}</p>
        </div>
        {children}
        <Button type="submit" size="sm" isBusy={test.isRunning} className="self-start">
          {action}
        </Button>
      </form>
      <TestResult outcome={test.outcome} />
    </section>
  )
}

/** Shows the outcome of a test and announces it to screen readers. */
function TestResult({ outcome }: { outcome: TestOutcome | null }) {
  return (
    <output className="block">
      {outcome && (
        <span className="mt-3 block rounded-md bg-page px-4 py-3 ring-1 ring-line ring-inset">
          <span className="flex items-start gap-2.5 text-sm">
            <OutcomeIcon kind={outcome.kind} />
            <span className="min-w-0 wrap-anywhere">
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

/** The state of a test and its latest outcome. */
interface Test {
  isRunning: boolean
  outcome: TestOutcome | null
  run: (test: () => Promise<TestOutcome>) => Promise<void>
}

/** Runs a test and shows its outcome as a notice, which replaces the notice of the test before. */
export function useTest(): Test {
  const [isRunning, setRunning] = useState(false)
  const [outcome, setOutcome] = useState<TestOutcome | null>(null)
  return {
    isRunning,
    outcome,
    async run(test) {
      setRunning(true)
      const next = await test()
      setRunning(false)
      setOutcome(next)
      notify({ kind: next.kind, title: next.title, text: next.text, topic: 'connection-test' })
    },
  }
}
