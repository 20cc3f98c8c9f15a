import { setPriority } from 'node:os'
import { startPostgres } from '../server/test/postgres.ts'
import { alternateRounds, type Round } from './load/rounds.ts'
import { type Defer, withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { summarise } from './report/statistics.ts'
import { openBaselineSource, openJournal, openProductSource } from './load/senders.ts'

const audiences = [0, 200, 1_000]
const pace = { rounds: 5, commands: 30, everyMs: 100 }
/** Lower than that of the server and of the owner. */
const listenersPriority = 10
/** A durable write is the floor: the goal is a factor of it, whatever the audience. */
const goalFactor = 1.2

/** Measures the time until a command is stored durably and acknowledged, by the number of listeners. */
export const commandMeasurement: Measurement = {
  name: 'command',
  title: `A command of the owner is stored and acknowledged while ${audiences.join(', ')} listen`,
  baseline: 'one durable write: a raw ws server that appends a line to a file, syncs it to disk and answers',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      // Listeners are on other machines: here they would keep the owner's client from its core while it gets the answer.
      setPriority(load.pid, listenersPriority)
      const sqlite = await openProductSource(defer, load, { group: 'sqlite', listeners: 0 })
      const env = { DATABASE_URL: await openPostgres(defer) }
      const postgres = await openProductSource(defer, load, { group: 'postgres', listeners: 0, env })
      const baseline = await openBaselineSource(defer, load, {
        group: 'baseline',
        listeners: 0,
        frames: [],
        journal: openJournal(defer),
      })
      const figures: Figure[] = []
      for (const listeners of audiences) {
        await sqlite.listenUpTo(listeners)
        await postgres.listenUpTo(listeners)
        log(`${listeners} listeners have joined each room`)
        const sources = [sqlite, postgres, baseline]
        await alternateRounds(load, sources, { ...pace, rounds: 1 })
        const [onSqlite, onPostgres, raw] = await alternateRounds(load, sources, pace)
        if (!onSqlite || !onPostgres || !raw) throw new Error('A round is missing')
        figures.push(...toFigures(`SQLite, ${listeners} listen`, onSqlite, raw))
        figures.push(...toFigures(`PostgreSQL, ${listeners} listen`, onPostgres, raw))
      }
      return figures
    }),
}

async function openPostgres(defer: Defer): Promise<string> {
  const postgres = await startPostgres({ isDurable: true })
  defer(() => postgres.stop())
  return postgres.url
}

function toFigures(name: string, ours: Round, theirs: Round): Figure[] {
  const [own, raw] = [summarise(ours.acknowledgedMs), summarise(theirs.acknowledgedMs)]
  return [
    { name: `${name}, p50`, unit: 'ms', value: own.p50, baseline: raw.p50 },
    { name: `${name}, p99`, unit: 'ms', value: own.p99, baseline: raw.p99, goal: goalFactor * raw.p99 },
  ]
}
