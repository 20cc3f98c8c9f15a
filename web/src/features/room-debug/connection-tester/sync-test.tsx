import { useState } from 'react'
import { tester as texts } from '../../../texts.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { testSync } from './event-tests.ts'
import { TestSection } from './test-section.tsx'
import { useServerCalls } from './use-server-calls.ts'
import { useTest } from './use-test.ts'

/** A sync request for a room, this one unless another is given (2.38a). */
export function SyncTest({ initialRoomId }: { initialRoomId: string }) {
  const server = useServerCalls()
  const test = useTest()
  const [roomId, setRoomId] = useState(initialRoomId)
  const [error, setError] = useState<string | null>(null)
  const start = () => {
    const asked = roomId.trim()
    if (asked === '') return setError(texts.noRoomId)
    void test.run(() => testSync(server, asked))
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
