import { diagnose } from '@earshot/core/diagnosis/diagnose'
import type { DiagnosisFacts } from '@earshot/core/diagnosis/facts'
import type { Finding } from '@earshot/core/diagnosis/findings'
import { useEffect, useEffectEvent, useState } from 'react'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { diagnosis as texts } from '../../../texts/diagnosis.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CopyReport } from './copy-report.tsx'
import { ErrorChart } from './error-chart.tsx'
import { FindingList } from './finding-list.tsx'
import { type DiagnosisStep, diagnosisSteps, gatherFacts } from './gather-facts.ts'
import { describeFacts, writeReport } from './report.ts'

interface DiagnosisProps {
  room: RoomVisit
  /** How often it was asked for elsewhere: each time it runs. */
  diagnoses: number
}

/** Runs a diagnosis on request and shows its findings, with a chart of the sync error (2.37c to 2.37e). */
export function Diagnosis({ room, diagnoses }: DiagnosisProps) {
  const { remainingSteps, result, run } = useDiagnosis(room)
  const isRunning = remainingSteps !== null
  const runUnlessRunning = useEffectEvent(() => {
    if (!isRunning) void run()
  })
  useEffect(() => {
    if (diagnoses > 0) runUnlessRunning()
  }, [diagnoses])
  const start = (
    <Button tone="primary" size="sm" isBusy={isRunning} onClick={() => void run()}>
      {texts.run}
    </Button>
  )
  return (
    <Card title={texts.title} aside={start}>
      <p className="-mt-2 mb-5 max-w-prose text-sm text-pretty text-ink-muted">{texts.text}</p>
      <div className="@container flex flex-col gap-5">
        {isRunning && <DiagnosisProgress remaining={remainingSteps} />}
        <output className="sr-only">{!isRunning && result && texts.done(result.findings.length)}</output>
        {result && !isRunning && (
          <>
            <FindingList findings={result.findings} />
            <FactList facts={result.facts} />
            <CopyReport key={result.report} report={result.report} />
          </>
        )}
        <ErrorChart room={room} />
      </div>
    </Card>
  )
}

/** Shows the progress of a running diagnosis and its remaining steps. */
function DiagnosisProgress({ remaining }: { remaining: readonly DiagnosisStep[] }) {
  return (
    <div>
      <progress
        aria-label={texts.progress}
        max={diagnosisSteps.length}
        value={diagnosisSteps.length - remaining.length}
        className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised forced-color-adjust-none [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <p className="mt-2 text-sm text-ink-muted">
        {texts.running(remaining.map((step) => texts.steps[step]))}
      </p>
    </div>
  )
}

/** Lists the facts that a diagnosis is based on. */
function FactList({ facts }: { facts: DiagnosisFacts }) {
  return (
    <dl aria-label={texts.facts} className="grid gap-x-8 text-sm @2xl:grid-cols-2">
      {describeFacts(facts).map(({ label, value }) => (
        <div key={label} className="flex justify-between gap-4 border-b border-line py-1.5">
          <dt className="shrink-0 text-ink-muted">{label}</dt>
          <dd className="min-w-0 text-end wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface DiagnosisResult {
  facts: DiagnosisFacts
  findings: Finding[]
  report: string
}

interface DiagnosisRun {
  /** The steps still running; null while no diagnosis runs. */
  remainingSteps: readonly DiagnosisStep[] | null
  /** Of the latest diagnosis; null before the first. */
  result: DiagnosisResult | null
  run: () => Promise<void>
}

/** Runs a diagnosis and keeps its result. */
function useDiagnosis(room: RoomVisit): DiagnosisRun {
  const [remainingSteps, setRemainingSteps] = useState<readonly DiagnosisStep[] | null>(null)
  const [result, setResult] = useState<DiagnosisResult | null>(null)
  const run = async () => {
    setRemainingSteps(diagnosisSteps)
    const facts = await gatherFacts(room, (done) =>
      setRemainingSteps((steps) => steps && steps.filter((step) => step !== done)),
    )
    const findings = diagnose(facts)
    const context = { roomId: room.roomId, userAgent: navigator.userAgent, takenAtMs: Date.now() }
    setResult({ facts, findings, report: writeReport(facts, findings, context) })
    setRemainingSteps(null)
  }
  return { remainingSteps, result, run }
}
