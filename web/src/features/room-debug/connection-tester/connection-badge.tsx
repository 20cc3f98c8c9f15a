import type { ConnectionState } from '@earshot/core/machines/connection-state'
import { tester as texts } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { judgeConnection } from './connection-health.ts'

const looks = {
  connected: { tone: 'brand', dot: 'bg-brand' },
  high_latency: { tone: 'neutral', dot: 'bg-caution' },
  disconnected: { tone: 'video', dot: 'bg-video' },
} as const

/** Connected, High Latency or Disconnected (2.37a); a change is said to who does not see it. */
export function ConnectionBadge({ state }: { state: ConnectionState }) {
  const health = judgeConnection(state)
  const { tone, dot } = looks[health]
  return (
    <output>
      <Badge tone={tone} size="md">
        <span aria-hidden className={`size-2 rounded-full ${dot}`} />
        {texts.health[health]}
      </Badge>
    </output>
  )
}
