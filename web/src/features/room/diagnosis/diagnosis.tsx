import { useId } from 'react'
import { diagnosis as texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyReport } from './copy-report.tsx'
import { DiagnosisProgress } from './diagnosis-progress.tsx'
import { ErrorChart } from './error-chart.tsx'
import { FactList } from './fact-list.tsx'
import { FindingList } from './finding-list.tsx'
import { useDiagnosis } from './use-diagnosis.ts'

/** How well this listener follows, and at one click what is wrong and what to do about it (2.37c to 2.37e). */
export function Diagnosis() {
  const { left, result, run } = useDiagnosis()
  const titleId = useId()
  const isRunning = left !== null
  return (
    <section aria-labelledby={titleId} className="@container flex min-w-0 flex-col gap-5">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h3 id={titleId} className="font-semibold">
            {texts.title}
          </h3>
          <p className="mt-0.5 text-sm text-ink-muted">{texts.text}</p>
        </div>
        <Button tone="primary" size="sm" isBusy={isRunning} onClick={() => void run()}>
          {result ? texts.runAgain : texts.run}
        </Button>
      </header>
      {isRunning && <DiagnosisProgress left={left} />}
      <output className="sr-only">{!isRunning && result && texts.done(result.findings.length)}</output>
      {result && !isRunning && (
        <>
          <FindingList findings={result.findings} />
          <FactList facts={result.facts} />
          <CopyReport key={result.report} report={result.report} />
        </>
      )}
      <ErrorChart />
    </section>
  )
}
