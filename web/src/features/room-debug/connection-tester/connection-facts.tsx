import type { ConnectionState, Transport } from '@earshot/core/machines/connection-state'
import { tester as texts } from '../../../texts.ts'
import { hostOf } from './connection-health.ts'

interface ConnectionFactsProps {
  state: ConnectionState
  transport: Transport | null
}

/** Which server it is, how far away, and how messages get there. */
export function ConnectionFacts({ state, transport }: ConnectionFactsProps) {
  const server = state.servers[state.serverIndex]
  const latencyMs = state.status === 'connected' ? state.latenciesMs.at(-1) : undefined
  const facts = [
    { name: texts.server, value: server === undefined ? texts.noServer : hostOf(server) },
    {
      name: texts.latency,
      value: latencyMs === undefined ? texts.unknown : texts.latencyOf(Math.round(latencyMs)),
    },
    { name: texts.transport, value: transport ? texts.transports[transport] : texts.unknown },
    { name: texts.status, value: texts.statuses[state.status] },
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-5 gap-y-4 md:grid-cols-4">
      {facts.map(({ name, value }) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-ink-muted">{name}</dt>
          <dd className="mt-0.5 font-medium break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
