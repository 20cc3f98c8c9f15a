import type { FormEvent, ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { joinClasses } from '../../../ui/class-names.ts'
import { TestResult } from './test-result.tsx'
import type { Test } from './use-test.ts'

interface TestSectionProps {
  title: string
  text: string
  /** On the button that starts it. */
  action: string
  test: Test
  onStart: () => void
  /** What can be filled in before. */
  children?: ReactNode
}

/** A test with what it does, what starts it, and what came of it. */
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
