import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../server/test/postgres.ts'
import { alternateRounds, type Round } from './load/rounds.ts'
import { type Defer, withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { summarise } from './report/statistics.ts'
import { openProductSource, openBaselineSource, sampleFrames } from './load/senders.ts'

const listeners = 200
const pace = { rounds: 5, commands: 40, everyMs: 60 }
const goalP99Ms = 10

/** Measures the time until a command is stored durably and acknowledged, with 200 listeners. */
export const commandMeasurement: Measurement = {
  name: 'command',
  title: `A command of the owner is stored and acknowledged while ${listeners} listen`,
  baseline:
    'raw ws server that appends a line to a file, waits until it is on disk, sends the same bytes and answers',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const sqlite = await openProductSource(defer, load, { group: 'sqlite', listeners })
      log(`${listeners} listeners have joined on SQLite`)
      const postgres = await openProductSource(defer, load, {
        group: 'postgres',
        listeners,
        env: { DATABASE_URL: await openPostgres(defer) },
      })
      log(`${listeners} listeners have joined on PostgreSQL`)
      const frames = await sampleFrames(load, sqlite)
      const journal = openJournal(defer)
      const baseline = await openBaselineSource(defer, load, {
        group: 'baseline',
        listeners,
        frames,
        journal,
      })
      const sources = [sqlite, postgres, baseline]
      await alternateRounds(load, sources, { ...pace, rounds: 1 })
      log('warm; measuring in alternate rounds')
      const [onSqlite, onPostgres, raw] = await alternateRounds(load, sources, pace)
      if (!onSqlite || !onPostgres || !raw) throw new Error('A round is missing')
      return [...toFigures('SQLite', onSqlite, raw), ...toFigures('PostgreSQL', onPostgres, raw)]
    }),
}

async function openPostgres(defer: Defer): Promise<string> {
  const postgres = await startPostgres({ isDurable: true })
  defer(() => postgres.stop())
  return postgres.url
}

/** A file beside the data folders of the servers, so that all write to the same disk. */
function openJournal(defer: Defer): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  defer(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'journal')
}

function toFigures(engine: string, ours: Round, theirs: Round): Figure[] {
  const [own, raw] = [summarise(ours.acknowledgedMs), summarise(theirs.acknowledgedMs)]
  return [
    { name: `${engine} p50`, unit: 'ms', value: own.p50, baseline: raw.p50 },
    { name: `${engine} p99`, unit: 'ms', value: own.p99, baseline: raw.p99, goal: goalP99Ms },
    { name: `${engine} max`, unit: 'ms', value: own.max, baseline: raw.max },
  ]
}
