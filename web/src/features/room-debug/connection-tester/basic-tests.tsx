import { useState } from 'react'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { testEcho, testPing, testSync } from './event-tests.ts'
import { TestSection, useTest } from './test-section.tsx'

interface BasicTestsProps {
  room: RoomVisit
  roomId: string
}

/** Tests ping, echo and a sync request (2.38a). */
export function BasicTests({ room, roomId }: BasicTestsProps) {
  const server = room.connection
  const ping = useTest()
  const echo = useTest()
  return (
    <>
      <TestSection
        title={texts.ping}
        text={texts.pingText}
        action={texts.sendPing}
        test={ping}
        onStart={() => void ping.run(() => testPing(server))}
      />
      <TestSection
        title={texts.echo}
        text={texts.echoText}
        action={texts.sendEcho}
        test={echo}
        onStart={() => void echo.run(() => testEcho(server))}
      />
      <SyncTest room={room} roomId={roomId} />
    </>
  )
}

/** Requests a snapshot of a room, by default the current one (2.38a). */
function SyncTest({ room, roomId: initialRoomId }: BasicTestsProps) {
  const server = room.connection
  const test = useTest()
  const [roomId, setRoomId] = useState(initialRoomId)
  const [error, setError] = useState<string | null>(null)
  const start = () => {
    const trimmed = roomId.trim()
    if (trimmed === '') return setError(texts.noRoomId)
    void test.run(() => testSync(server, trimmed))
  }
  return (
    <TestSection
      title={texts.sync}
      text={texts.syncText}
      action={texts.requestSync}
      test={test}
      onStart={start}
    >
      <TextField
        label={texts.roomId}
        autoComplete="off"
        spellCheck={false}
        value={roomId}
        error={error}
        onChange={(event) => {
          setRoomId(event.target.value)
          setError(null)
        }}
      />
    </TestSection>
  )
}
