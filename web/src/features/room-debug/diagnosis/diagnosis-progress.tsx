import { diagnosis as texts } from '../../../texts.ts'
import { diagnosisSteps, type DiagnosisStep } from './gather-facts.ts'

/** How far a running diagnosis is, and what it still looks at. */
export function DiagnosisProgress({ left }: { left: readonly DiagnosisStep[] }) {
  return (
    <div>
      <progress
        aria-label={texts.progress}
        max={diagnosisSteps.length}
        value={diagnosisSteps.length - left.length}
        className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <p className="mt-2 text-sm text-ink-muted">{texts.running(left.map((step) => texts.steps[step]))}</p>
    </div>
  )
}
