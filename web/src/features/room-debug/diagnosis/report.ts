import type { DiagnosisFacts } from '@earshot/core/diagnosis/facts'
import type { Finding } from '@earshot/core/diagnosis/findings'
import { diagnosis as texts } from '../../../texts.ts'
import { describeFacts } from './describe-facts.ts'
import { redact } from './redact.ts'

/** What a report says besides the diagnosis itself. */
export interface ReportContext {
  roomId: string
  userAgent: string
  /** Ms since 1970. */
  takenAtMs: number
}

/** The diagnosis as plain text that may be passed on to anybody (2.37d). */
export function writeReport(
  facts: DiagnosisFacts,
  findings: readonly Finding[],
  { roomId, userAgent, takenAtMs }: ReportContext,
): string {
  const found = findings.map(({ code, severity }) => {
    const { title, text } = texts.findingTexts[code]
    return texts.finding(texts.severities[severity], title, text)
  })
  return [
    texts.reportTitle(new Date(takenAtMs).toISOString()),
    `${texts.room}: ${redact(roomId)}`,
    '',
    ...(found.length > 0 ? found : [texts.allGood]),
    '',
    ...describeFacts(facts).map(({ label, value }) => `${label}: ${value}`),
    `${texts.browser}: ${redact(userAgent)}`,
  ].join('\n')
}
