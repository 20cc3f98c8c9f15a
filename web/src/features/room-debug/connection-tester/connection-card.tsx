import { useId, useState } from 'react'
import { room as roomTexts, tester as texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { notify } from '../../../ui/notify.ts'
import { useRoomActions } from '../../room/use-room.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { MessageLists } from './message-lists.tsx'
import { useConnectionState } from './use-connection.ts'

/** How the connection is, what goes over it, and a fresh one at a press (2.37). */
export function ConnectionCard() {
  const { connection, state, transport } = useConnectionState()
  const { retryConnection } = useRoomActions()
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const historyId = useId()
  const reconnect = () => {
    notify({ kind: 'info', title: roomTexts.reconnectingNotice })
    retryConnection()
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
      {isHistoryOpen && connection && (
        <div id={historyId} className="mt-5">
          <MessageLists history={connection.history} />
        </div>
      )}
    </Card>
  )
}
