import { diagnosis as texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CopyReport } from './copy-report.tsx'
import { DiagnosisProgress } from './diagnosis-progress.tsx'
import { ErrorChart } from './error-chart.tsx'
import { FactList } from './fact-list.tsx'
import { FindingList } from './finding-list.tsx'
import { useDiagnosis } from './use-diagnosis.ts'

/** How well this listener follows, and at one click what is wrong and what to do about it (2.37c to 2.37e). */
export function Diagnosis() {
  const { left, result, run } = useDiagnosis()
  const isRunning = left !== null
  const start = (
    <Button tone="primary" size="sm" isBusy={isRunning} onClick={() => void run()}>
      {texts.run}
    </Button>
  )
  return (
    <Card title={texts.title} aside={start}>
      <p className="-mt-2 mb-5 max-w-prose text-sm text-pretty text-ink-muted">{texts.text}</p>
      <div className="@container flex flex-col gap-5">
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
      </div>
    </Card>
  )
}
