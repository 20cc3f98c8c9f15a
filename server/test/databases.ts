import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, inject } from 'vitest'
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/database.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'

/** Where to open databases for a suite, and how to clean up after a test. */
interface Engine {
  name: 'SQLite' | 'PostgreSQL'
  /** A place for a new database; one that has its tables already, where the engine can copy one. */
  make(isMigrated: boolean): Promise<DatabaseOptions>
  cleanUp(): Promise<void>
}

/**
 * Runs a suite once on each engine. Each `open()` gives a fresh database with all tables, closed after the test; a
 * suite about opening takes `make()`, which gives the options of one that is still empty.
 */
export function describeDatabases(
  name: string,
  suite: (open: () => Promise<Db>, make: () => Promise<DatabaseOptions>) => void,
): void {
  for (const createEngine of [createSqlite, createPostgres]) {
    const engine = createEngine()
    describe(`${name} (${engine.name})`, () => {
      const opened: Db[] = []
      afterEach(async () => {
        await Promise.all(opened.splice(0).map((db) => db.destroy()))
        await engine.cleanUp()
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

function createSqlite(): Engine {
  const folders: string[] = []
  return {
    name: 'SQLite',
    async make() {
      const dataDir = await mkdtemp(join(tmpdir(), 'earshot-db-'))
      folders.push(dataDir)
      return { databaseUrl: null, dataDir }
    },
    async cleanUp() {
      await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

function createPostgres(): Engine {
  return {
    name: 'PostgreSQL',
    async make(isMigrated) {
      const template = isMigrated ? migratedTemplate : null
      return { databaseUrl: await createPostgresDatabase(inject('postgresUrl'), template), dataDir: '' }
    },
    // The whole server is thrown away after the run.
    cleanUp: async () => {},
  }
}
