import type { ConnectionState, Transport } from '@earshot/core/machines/connection'
import { useId, useState } from 'react'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { MessageLists } from './message-lists.tsx'
import { hostOf, judgeConnection, useConnectionState } from './use-connection.ts'

/** Shows the connection's state and messages, and reconnects on request (2.37). */
export function ConnectionCard({ room }: { room: RoomVisit }) {
  const { state, transport } = useConnectionState(room.connection)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const historyId = useId()
  const reconnect = () => {
    notify({ kind: 'info', title: roomTexts.reconnectingNotice })
    room.actions.retryConnection()
  }
  return (
    <Card title={texts.title} aside={<ConnectionBadge state={state} />}>
      <ConnectionFacts state={state} transport={transport} />
      {state.reason && (
        <p role="alert" className="mt-4 rounded-md bg-video-soft px-4 py-3 text-sm">
          {texts.disabled(state.reason)}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button
          size="sm"
          aria-expanded={isHistoryOpen}
          aria-controls={isHistoryOpen ? historyId : undefined}
          onClick={() => setHistoryOpen(!isHistoryOpen)}
        >
          {texts.debug}
        </Button>
        <Button size="sm" onClick={reconnect}>
          {texts.reconnect}
        </Button>
      </div>
      {isHistoryOpen && (
        <div id={historyId} className="mt-5">
          <MessageLists history={room.connection.history} />
        </div>
      )}
    </Card>
  )
}

const looks = {
  connected: { tone: 'brand', dot: 'bg-brand' },
  high_latency: { tone: 'neutral', dot: 'bg-caution' },
  disconnected: { tone: 'video', dot: 'bg-video' },
} as const

/** Shows Connected, High Latency or Disconnected (2.37a), and announces changes to screen readers. */
function ConnectionBadge({ state }: { state: ConnectionState }) {
  const health = judgeConnection(state)
  const { tone, dot } = looks[health]
  return (
    <output>
      <Badge tone={tone} size="md">
        <span aria-hidden className={`size-2 rounded-full ${dot}`} />
        <span>{texts.health[health]}</span>
      </Badge>
    </output>
  )
}

interface ConnectionFactsProps {
  state: ConnectionState
  transport: Transport | null
}

/** Shows the server, latency, transport and status. */
function ConnectionFacts({ state, transport }: ConnectionFactsProps) {
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
          <dd className="mt-0.5 font-medium wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
