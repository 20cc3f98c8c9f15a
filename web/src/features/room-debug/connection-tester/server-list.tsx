import type { ConnectionState } from '@earshot/core/machines/connection-state'
import { tester as texts } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { hostOf } from './connection-health.ts'
import type { MeasuredServer } from './server-choice.ts'

interface ServerListProps {
  state: ConnectionState
  /** In the order of the servers; empty before they were measured. */
  measured: readonly MeasuredServer[]
  bestIndex: number | null
}

/** The configured servers, each with how fast it answered. */
export function ServerList({ state, measured, bestIndex }: ServerListProps) {
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
          <span className="ml-auto text-sm text-ink-muted tabular-nums">
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
