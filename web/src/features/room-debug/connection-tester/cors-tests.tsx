import { printPayload } from '../../../engine/debug-access.ts'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { checkCors, checkHealth, type CorsReport, type HealthReport } from '../http-checks.ts'
import { fail, succeed, type TestOutcome } from './test-outcome.ts'
import { TestSection, useTest } from './test-section.tsx'
import { hostOf, useConnectionState } from './use-connection.ts'

/** Checks the current server's health and CORS headers over plain HTTP (2.38b). */
export function CorsTests({ room }: { room: RoomVisit }) {
  const { state } = useConnectionState(room.connection)
  const health = useTest()
  const cors = useTest()
  const pageOrigin = window.location.origin
  const server = state.servers[state.serverIndex] ?? pageOrigin
  const isSameOrigin = new URL(server).origin === pageOrigin
  return (
    <>
      <TestSection
        title={texts.healthCheck}
        text={texts.healthCheckText}
        action={texts.checkHealth}
        test={health}
        onStart={() => void health.run(async () => describeHealth(server, await checkHealth(server)))}
      />
      <TestSection
        title={texts.corsCheck}
        text={`${texts.corsCheckText} ${isSameOrigin ? texts.sameOrigin : texts.otherOrigin}`}
        action={texts.checkCors}
        test={cors}
        onStart={() => void cors.run(async () => describeCors(server, await checkCors(server, pageOrigin)))}
      />
    </>
  )
}

/** Describes the result of a health check (2.38b). */
export function describeHealth(server: string, report: HealthReport | null): TestOutcome {
  if (!report) return fail(texts.healthFailed, texts.unreachable(hostOf(server)))
  const text = texts.healthAnswered(report.status, Math.round(report.latencyMs))
  const details = report.body === null ? undefined : printPayload(report.body)
  if (report.status !== 200) return fail(texts.unhealthy, text, details)
  return succeed(texts.healthy, text, details)
}

/** Describes the result of a CORS check (2.38b). */
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
