import type { DiagnosisFacts } from '@earshot/core/diagnosis/facts'
import { diagnosis as texts } from '../../../texts.ts'
import { describeFacts } from './describe-facts.ts'

/** What a diagnosis went by. */
export function FactList({ facts }: { facts: DiagnosisFacts }) {
  return (
    <dl aria-label={texts.facts} className="grid gap-x-8 text-sm @2xl:grid-cols-2">
      {describeFacts(facts).map(({ label, value }) => (
        <div key={label} className="flex justify-between gap-4 border-b border-line py-1.5">
          <dt className="shrink-0 text-ink-muted">{label}</dt>
          <dd className="min-w-0 text-right break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
