import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/database.ts'
import { migratedTemplate, nameDatabase, runStatement, startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL of this run: its database `postgres`, as somebody who may create others. */
    postgresUrl: string
    redisUrl: string
  }
}

/** Starts what the tests need besides packages, once a run. A missing engine fails the run: nothing is skipped. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  await makeTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis.url)
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()])
  }
}

/** Migrated once: a test's database is a copy of it. */
async function makeTemplate(url: string): Promise<void> {
  await runStatement(url, `create database ${migratedTemplate}`)
  const db = await openDatabase({ databaseUrl: nameDatabase(url, migratedTemplate), dataDir: '' })
  await db.destroy()
}
