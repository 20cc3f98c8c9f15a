import { pino } from 'pino'
import { inject } from 'vitest'
import { runChild } from '../../../../test/children/run-child.ts'
import { makeFolder } from '../../../../test/folders.ts'
import { createPostgresDatabase } from '../../../../test/postgres.ts'
import { type DatabaseOptions, type Db, openDatabase } from '../../../db/database.ts'
import { backUp } from '../back-up.ts'
import { restore } from '../restore.ts'

export interface Machine {
  dataDir: string
  options: DatabaseOptions
}

export async function makeSqlite(): Promise<Machine> {
  const dataDir = await makeFolder()
  return { dataDir, options: { databaseUrl: null, dataDir } }
}

export async function makePostgres(): Promise<Machine> {
  const dataDir = await makeFolder()
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), null)
  return { dataDir, options: { databaseUrl, dataDir } }
}

export const engines = { SQLite: makeSqlite, PostgreSQL: makePostgres }

/** Runs a command as the operator does. */
export async function admin(args: string[], variables: Record<string, string> = {}) {
  const child = runChild('src/admin/main.ts', args, variables)
  return { code: await child.ended, ...child.output }
}

/** Makes a backup of the machine's data. */
export const save = ({ options }: Machine, folder: string) => backUp(options, folder, '1.2.3')

/** Restores a backup. */
export const load = ({ options }: Machine, folder: string, isForced = false) =>
  restore(options, folder, { isForced, logger: pino({ level: 'silent' }) })

/** Changes the database while no server runs on it. */
export async function change({ options }: Machine, run: (db: Db) => Promise<unknown>): Promise<void> {
  const db = await openDatabase(options)
  await run(db)
  await db.destroy()
}
