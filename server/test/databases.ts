import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, inject } from 'vitest'
import { type DatabaseOptions, type Db, openDatabase, sqliteFileName } from '../src/db/database.ts'
import { makeFolder } from './folders.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'

interface Engine {
  name: 'SQLite' | 'PostgreSQL'
  /** Returns the options of a new database: a copy of the migrated template, or an empty one. */
  make(isMigrated: boolean): Promise<DatabaseOptions>
}

const sqlite: Engine = {
  name: 'SQLite',
  make: async (isMigrated) => ({
    databaseUrl: null,
    dataDir: await (isMigrated ? makeDataFolder() : makeFolder()),
  }),
}

const postgres: Engine = {
  name: 'PostgreSQL',
  async make(isMigrated) {
    const template = isMigrated ? migratedTemplate : null
    return { databaseUrl: await createPostgresDatabase(inject('postgresUrl'), template), dataDir: '' }
  },
}

/** Creates a data folder with a migrated SQLite database, removed when the running test finishes. */
export async function makeDataFolder(): Promise<string> {
  const folder = await makeFolder()
  await addDatabase(folder)
  return folder
}

/** Puts a migrated SQLite database into a folder. */
export async function addDatabase(folder: string): Promise<void> {
  await copyFile(inject('sqliteTemplate'), join(folder, sqliteFileName))
}

/**
 * Runs a suite once on each engine. Each `open()` gives a fresh database with all tables, closed after the test; a
 * suite about opening takes `make()`, which gives the options of one that is still empty.
 */
export function describeDatabases(
  name: string,
  suite: (open: () => Promise<Db>, make: () => Promise<DatabaseOptions>) => void,
): void {
  for (const engine of [sqlite, postgres]) {
    describe(`${name} (${engine.name})`, () => {
      const opened: Db[] = []
      afterEach(async () => {
        await Promise.all(opened.splice(0).map((db) => db.destroy()))
      })
      const open = async (): Promise<Db> => {
        const db = await openDatabase(await engine.make(true))
        opened.push(db)
        return db
      }
      suite(open, () => engine.make(false))
    })
  }
}
