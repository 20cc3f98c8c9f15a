import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type DatabaseOptions, openDatabase, sqliteFileName } from '../src/db/database.ts'
import { migratedTemplate, nameDatabase, runStatement, startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL of this run: its database `postgres`, as somebody who may create others. */
    postgresUrl: string
    redisUrl: string
    /** A SQLite file with all tables, for tests to copy. */
    sqliteTemplate: string
  }
}

/** Starts PostgreSQL and Redis once per run. Fails the run where either is not installed: no test is skipped. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  // Where the tests have their own files: their databases are beside it. Vitest leaves out an `env` that is not set.
  const env: { TMPDIR?: string } | undefined = project.config.env
  const dataDir = await mkdtemp(join(env?.TMPDIR ?? tmpdir(), 'earshot-template-'))
  await runStatement(postgres.url, `create database ${migratedTemplate}`)
  await createTables({ databaseUrl: nameDatabase(postgres.url, migratedTemplate), dataDir: '' })
  await createTables({ databaseUrl: null, dataDir })
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis.url)
  project.provide('sqliteTemplate', join(dataDir, sqliteFileName))
  return async () => {
    await Promise.all([postgres.stop(), redis.stop(), rm(dataDir, { recursive: true })])
  }
}

/** Migrates a template that the databases of tests are copied from. */
async function createTables(options: DatabaseOptions): Promise<void> {
  const db = await openDatabase(options)
  await db.destroy()
}
