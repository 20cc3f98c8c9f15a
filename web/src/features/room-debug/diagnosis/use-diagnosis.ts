import { diagnose } from '@earshot/core/diagnosis/diagnose'
import type { DiagnosisFacts } from '@earshot/core/diagnosis/facts'
import type { Finding } from '@earshot/core/diagnosis/findings'
import { useState } from 'react'
import { useLiveRoom } from '../../room/use-room.ts'
import { diagnosisSteps, gatherFacts, type DiagnosisStep } from './gather-facts.ts'
import { writeReport } from './report.ts'

export interface DiagnosisResult {
  facts: DiagnosisFacts
  findings: Finding[]
  report: string
}

interface DiagnosisRun {
  /** What is still being looked at; null while no diagnosis runs. */
  left: readonly DiagnosisStep[] | null
  /** Of the latest diagnosis. */
  result: DiagnosisResult | null
  run: () => Promise<void>
}

/** Diagnoses when it is asked to. */
export function useDiagnosis(): DiagnosisRun {
  const getLive = useLiveRoom()
  const [left, setLeft] = useState<readonly DiagnosisStep[] | null>(null)
  const [result, setResult] = useState<DiagnosisResult | null>(null)
  const run = async () => {
    const live = getLive()
    if (!live) return
    setLeft(diagnosisSteps)
    const facts = await gatherFacts(live, (done) =>
      setLeft((steps) => steps && steps.filter((step) => step !== done)),
    )
    const findings = diagnose(facts)
    const { roomId } = live.link
    const context = { roomId, userAgent: navigator.userAgent, takenAtMs: Date.now() }
    setResult({ facts, findings, report: writeReport(facts, findings, context) })
    setLeft(null)
  }
  return { left, result, run }
}
