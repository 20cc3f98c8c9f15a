import { useId, useState } from 'react'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { viewRoom } from '../../../engine/state/room-state.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { Select } from '../../../ui/controls/select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import {
  buildTestPayload,
  findMessageProblem,
  sendTestMessage,
  type TestEvent,
  testEvents,
} from './event-tests.ts'
import { TestSection, useTest } from './test-section.tsx'
import { wallNow } from '../../../wall-clock.ts'

/** Sends one of five test messages and shows the answer (2.38a). */
export function AdvancedTests({ room, roomId }: { room: RoomVisit; roomId: string }) {
  const server = room.connection
  const test = useTest()
  const [event, setEvent] = useState<TestEvent>('echo')
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string | null>(null)
  const start = () => {
    const problem = findMessageProblem(server.isConnected(), message)
    setError(problem)
    if (problem !== null) return
    const { timeline } = viewRoom(room.store.getState())
    const positionMs = room.actions.positionNow()
    const facts = { message: message.trim(), roomId, nowMs: wallNow(), timeline, positionMs }
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

interface EventTypeFieldProps {
  value: TestEvent
  onChange: (event: TestEvent) => void
}

function EventTypeField({ value, onChange }: EventTypeFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-2 block text-sm font-medium">
        {texts.eventType}
      </label>
      <Select
        id={id}
        value={value}
        onChange={(change) => {
          const chosen = testEvents.find((event) => event === change.target.value)
          if (chosen) onChange(chosen)
        }}
      >
        {testEvents.map((event) => (
          <option key={event} value={event}>
            {event}
          </option>
        ))}
      </Select>
    </div>
  )
}
