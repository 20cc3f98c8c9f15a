import { tester as texts } from '../../../texts.ts'
import { testEcho, testPing } from './event-tests.ts'
import { SyncTest } from './sync-test.tsx'
import { TestSection } from './test-section.tsx'
import { useServerCalls } from './use-server-calls.ts'
import { useTest } from './use-test.ts'

/** Ping, echo and a sync request (2.38a). */
export function BasicTests({ roomId }: { roomId: string }) {
  const server = useServerCalls()
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
      <SyncTest initialRoomId={roomId} />
    </>
  )
}
