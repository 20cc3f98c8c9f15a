import { limits } from '@earshot/core/limits'
import type { ConnectionState } from '@earshot/core/machines/connection'
import { useState } from 'react'
import type { ServerConnection } from '../../../engine/debug-access.ts'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { Badge } from '../../../ui/badge.tsx'
import { checkHealth } from '../http-checks.ts'
import { fail, succeed, type TestOutcome } from './test-outcome.ts'
import { TestSection, useTest } from './test-section.tsx'
import { hostOf, useConnectionState } from './use-connection.ts'

/** Finds the fastest of the configured servers and switches to it (2.38b). */
export function ServerTests({ room }: { room: RoomVisit }) {
  const { connection } = room
  const { state } = useConnectionState(connection)
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
  const switchToBest = async (): Promise<TestOutcome> => {
    const host = hostOf(state.servers[bestIndex ?? 0] ?? '')
    const hasSwitched = bestIndex !== null && (await switchToServer(connection, bestIndex))
    if (!hasSwitched) return fail(texts.switchFailed, texts.didNotConnect(host))
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
          onStart={() => void change.run(switchToBest)}
        />
      )}
    </>
  )
}

interface ServerListProps {
  state: ConnectionState
  /** In the order of the servers; empty before the first measurement. */
  measured: readonly MeasuredServer[]
  bestIndex: number | null
}

/** Lists the configured servers with their latency. */
function ServerList({ state, measured, bestIndex }: ServerListProps) {
  if (state.servers.length === 0) return <p className="pb-5 text-sm text-ink-muted">{texts.noServers}</p>
  return (
    <ul aria-label={texts.servers} className="mb-5 rounded-md bg-page px-4 ring-1 ring-line ring-inset">
      {state.servers.map((url, index) => (
        <li
          key={url}
          className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2.5 first:border-none"
        >
          <span className="min-w-0 font-medium break-all">{hostOf(url)}</span>
          {index === state.serverIndex && <Badge>{texts.inUse}</Badge>}
          {index === bestIndex && <Badge tone="brand">{texts.best}</Badge>}
          <span className="ms-auto text-sm text-ink-muted tabular-nums">
            {describeLatency(measured[index])}
          </span>
        </li>
      ))}
    </ul>
  )
}

function describeLatency(server: MeasuredServer | undefined): string {
  if (!server) return texts.notMeasured
  return server.latencyMs === null ? texts.noAnswer : texts.latencyOf(Math.round(server.latencyMs))
}

interface MeasuredServer {
  url: string
  /** Null if it did not answer or is unhealthy. */
  latencyMs: number | null
}

/** Measures each server's latency by the second of two requests; the first one pays for connecting. */
export async function measureServers(
  servers: readonly string[],
  check = checkHealth,
): Promise<MeasuredServer[]> {
  return Promise.all(
    servers.map(async (url) => {
      const report = (await check(url)) && (await check(url))
      return { url, latencyMs: report?.status === 200 ? report.latencyMs : null }
    }),
  )
}

/** Returns the index of the server with the lowest latency, or null if none answered. */
export function findBestServer(measured: readonly MeasuredServer[]): number | null {
  const latencies = measured.map(({ latencyMs }) => latencyMs ?? Infinity)
  const lowest = Math.min(...latencies)
  return lowest < Infinity ? latencies.indexOf(lowest) : null
}

/** Switches to a server; resolves with whether it connected within the timeout. */
export function switchToServer(
  connection: Pick<ServerConnection, 'state' | 'watch' | 'switchServer'>,
  serverIndex: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isConnected: boolean) => {
      clearTimeout(timeout)
      stopWatching()
      resolve(isConnected)
    }
    connection.switchServer(serverIndex)
    const timeout = setTimeout(() => settle(false), limits.connectTimeoutMs)
    const stopWatching = connection.watch(() => {
      const state = connection.state()
      if (state.status === 'connected') settle(state.serverIndex === serverIndex)
    })
  })
}
