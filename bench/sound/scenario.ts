import { withDefer, type Defer } from '../defer.ts'
import type { Log } from '../measurement.ts'
import { drawNumber } from '../report/table.ts'
import { listSilences, sessionFigures } from './session-figures.ts'
import { recordSession, type RunningSession, type Session } from './session.ts'
import type { TestRoom } from './test-room.ts'

/** How often a scenario is recorded, unless the command line says otherwise. */
export const defaultRuns = 5

/** A room to open and what happens in it while it is recorded. */
export interface Scenario<Room extends TestRoom = TestRoom> {
  name: string
  open: (defer: Defer) => Promise<Room>
  script: (session: Room & RunningSession) => Promise<unknown>
}

/** Records a scenario several times, each with a server, browsers and profiles of its own. */
export async function recordScenario<Room extends TestRoom>(
  { name, open, script }: Scenario<Room>,
  runs: number,
  log: Log,
): Promise<Session[]> {
  const sessions: Session[] = []
  for (let run = 1; run <= runs; run += 1) {
    const session = await withDefer(async (defer) => recordSession(await open(defer), script))
    sessions.push(session)
    log(`${name}, run ${run} of ${runs}: ${describeSession(session)}`)
  }
  return sessions
}

function describeSession(session: Session): string {
  const figures = sessionFigures([session])
  const of = (name: string) => drawNumber(figures.find((figure) => figure.name === name)?.value ?? NaN)
  return (
    `skew p50 ${of('skew p50')}, p95 ${of('skew p95')}, p99 ${of('skew p99')}, max ${of('skew max')} ms; ` +
    `badge p95 ${of('badge p95')} ms; alone silent ${of('time with somebody alone silent')} %${describeSilences(session)}`
  )
}

/** Says when, so that the cause can be found. */
function describeSilences(session: Session): string {
  const silences = listSilences(session).map(
    ({ person, fromMs, forMs }) => `${person + 1} at ${(fromMs / 1_000).toFixed(2)} s for ${forMs} ms`,
  )
  return silences.length > 0 ? ` (${silences.join('; ')})` : ''
}
