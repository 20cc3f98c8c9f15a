import { afterEach, describe, inject } from 'vitest'
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/database.ts'
import { makeFolder } from './folders.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'

interface Engine {
  name: 'SQLite' | 'PostgreSQL'
  /** Options of a new database; it has its tables already where the engine can copy a migrated one. */
  make(isMigrated: boolean): Promise<DatabaseOptions>
}

const sqlite: Engine = {
  name: 'SQLite',
  make: async () => ({ databaseUrl: null, dataDir: await makeFolder() }),
}

const postgres: Engine = {
  name: 'PostgreSQL',
  async make(isMigrated) {
    const template = isMigrated ? migratedTemplate : null
    return { databaseUrl: await createPostgresDatabase(inject('postgresUrl'), template), dataDir: '' }
  },
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
