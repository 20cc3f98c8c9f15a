import { debugTools as texts } from '../../texts.ts'
import { Diagnosis } from './diagnosis/diagnosis.tsx'
import { useRoomState } from '../room/use-room.ts'
import { ConnectionCard } from './connection-tester/connection-card.tsx'
import { TestsCard } from './connection-tester/tests-card.tsx'

/** What helps to find out why a room does not work: a diagnosis, how the connection is, and tests of it (2.37, 2.38). */
export function DebugTools() {
  const roomId = useRoomState((state) => state.room?.id ?? '')
  return (
    <section aria-label={texts.region} className="flex min-w-0 animate-appear flex-col gap-5">
      <Diagnosis />
      <ConnectionCard />
      <TestsCard roomId={roomId} />
    </section>
  )
}
