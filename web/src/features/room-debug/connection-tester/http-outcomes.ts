import { printPayload } from '../../../realtime/describe-payload.ts'
import { tester as texts } from '../../../texts.ts'
import { hostOf } from './connection-health.ts'
import type { CorsReport, HealthReport } from '../http-checks.ts'
import { fail, succeed, type TestOutcome } from './test-outcome.ts'

/** What the page says of an HTTP check of a server (2.38b). */

export function describeHealth(server: string, report: HealthReport | null): TestOutcome {
  if (!report) return fail(texts.healthFailed, texts.unreachable(hostOf(server)))
  const text = texts.healthAnswered(report.status, Math.round(report.latencyMs))
  const details = report.body === null ? undefined : printPayload(report.body)
  if (report.status !== 200) return fail(texts.unhealthy, text, details)
  return succeed(texts.healthy, text, details)
}

export function describeCors(server: string, report: CorsReport): TestOutcome {
  const { verdict, isSameOrigin, allowOrigin } = report
  const host = hostOf(server)
  if (verdict === 'failed') return fail(texts.corsFailed, texts.unreachable(host))
  if (verdict === 'not_enabled') {
    return fail(texts.corsNotEnabled, isSameOrigin ? texts.corsNoHeader : texts.corsBlocked(host))
  }
  return succeed(
    texts.corsEnabled,
    allowOrigin === null ? texts.corsReadable(host) : texts.corsHeader(allowOrigin),
  )
}
