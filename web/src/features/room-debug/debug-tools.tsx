import type { RoomVisit } from '../../engine/room-visit.ts'
import { debugTools as texts } from '../../texts/debug-tools.ts'
import { ConnectionCard } from './connection-tester/connection-card.tsx'
import { TestsCard } from './connection-tester/tests-card.tsx'
import { Diagnosis } from './diagnosis/diagnosis.tsx'

interface DebugToolsProps {
  room: RoomVisit
  /** A higher number runs the diagnosis again. */
  diagnoses: number
}

/** Shows the diagnosis, the connection and its tests (2.37, 2.38). */
export function DebugTools({ room, diagnoses }: DebugToolsProps) {
  return (
    <section aria-label={texts.region} className="flex min-w-0 animate-appear flex-col gap-5">
      <Diagnosis room={room} diagnoses={diagnoses} />
      <ConnectionCard room={room} />
      <TestsCard room={room} />
    </section>
  )
}
