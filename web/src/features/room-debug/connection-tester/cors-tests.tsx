import { tester as texts } from '../../../texts.ts'
import { describeCors, describeHealth } from './http-outcomes.ts'
import { checkCors, checkHealth } from '../http-checks.ts'
import { TestSection } from './test-section.tsx'
import { useConnectionState } from './use-connection.ts'
import { useTest } from './use-test.ts'

/** What the server in use says over plain HTTP, and who may read it (2.38b). */
export function CorsTests() {
  const { state } = useConnectionState()
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
