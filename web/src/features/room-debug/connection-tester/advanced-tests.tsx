import { useState } from 'react'
import { wallNow } from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { useRoomActions, useRoomState } from '../../room/use-room.ts'
import { sendTestMessage } from './event-tests.ts'
import { EventTypeField } from './event-type-field.tsx'
import { buildTestPayload, refuseTestMessage, type TestEvent } from './test-message.ts'
import { TestSection } from './test-section.tsx'
import { useServerCalls } from './use-server-calls.ts'
import { useTest } from './use-test.ts'

/** Any of a few messages to the server, and its answer (2.38a). */
export function AdvancedTests({ roomId }: { roomId: string }) {
  const server = useServerCalls()
  const { positionNow } = useRoomActions()
  const timeline = useRoomState((state) => state.timeline)
  const test = useTest()
  const [event, setEvent] = useState<TestEvent>('echo')
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string | null>(null)
  const start = () => {
    const refusal = refuseTestMessage(server.isConnected(), message)
    setError(refusal)
    if (refusal !== null) return
    const facts = { message: message.trim(), roomId, nowMs: wallNow(), timeline, positionMs: positionNow() }
    void test.run(() => sendTestMessage(server, event, buildTestPayload(event, facts)))
  }
  return (
    <TestSection title={texts.send} text={texts.sendText} action={texts.send} test={test} onStart={start}>
      <EventTypeField value={event} onChange={setEvent} />
      <TextField
        label={texts.message}
        placeholder={texts.messagePlaceholder}
        autoComplete="off"
        value={message}
        error={error}
        onChange={(change) => {
          setMessage(change.target.value)
          setError(null)
        }}
      />
    </TestSection>
  )
}
