import { useState } from 'react'
import { tester as texts } from '../../../texts.ts'
import { hostOf } from './connection-health.ts'
import { findBestServer, measureServers, switchToServer, type MeasuredServer } from './server-choice.ts'
import { ServerList } from './server-list.tsx'
import { fail, succeed, type TestOutcome } from './test-outcome.ts'
import { TestSection } from './test-section.tsx'
import { useConnectionState } from './use-connection.ts'
import { useTest } from './use-test.ts'

/** Which of the configured servers is nearest, and going there (2.38b). */
export function ServerTests() {
  const { connection, state } = useConnectionState()
  const [measured, setMeasured] = useState<readonly MeasuredServer[]>([])
  const find = useTest()
  const change = useTest()
  const bestIndex = findBestServer(measured)
  const measure = async (): Promise<TestOutcome> => {
    const next = await measureServers(state.servers)
    setMeasured(next)
    const best = next[findBestServer(next) ?? -1]
    if (!best) return fail(texts.noneAnswered, texts.timeout)
    return succeed(texts.foundBest, texts.answersIn(hostOf(best.url), Math.round(best.latencyMs ?? 0)))
  }
  const goThere = async (): Promise<TestOutcome> => {
    const host = hostOf(state.servers[bestIndex ?? 0] ?? '')
    const isThere = connection && bestIndex !== null && (await switchToServer(connection, bestIndex))
    if (!isThere) return fail(texts.switchFailed, texts.didNotConnect(host))
    return succeed(texts.switchedToBest, texts.nowUsing(host))
  }
  return (
    <>
      <TestSection
        title={texts.findBest}
        text={texts.serversText}
        action={texts.findBest}
        test={find}
        onStart={() => void find.run(measure)}
      />
      <ServerList state={state} measured={measured} bestIndex={bestIndex} />
      {bestIndex !== null && (
        <TestSection
          title={texts.switchToBest}
          text={texts.switchText}
          action={texts.switchToBest}
          test={change}
          onStart={() => void change.run(goThere)}
        />
      )}
    </>
  )
}
