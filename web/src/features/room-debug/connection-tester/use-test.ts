import { useState } from 'react'
import { notify } from '../../../ui/notify.ts'
import type { TestOutcome } from './test-outcome.ts'

/** A test that somebody starts: whether it is running, and what came of it last. */
export interface Test {
  isRunning: boolean
  outcome: TestOutcome | null
  run: (test: () => Promise<TestOutcome>) => Promise<void>
}

/** What comes of a test is also a notice, in the place of the one before it. */
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
