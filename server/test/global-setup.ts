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

/** Starts PostgreSQL and Redis once per run. Fails the run where either is not installed: no test is skipped. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  await makeTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis.url)
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()])
  }
}

/** Migrates the template that the databases of tests are copied from. */
async function makeTemplate(url: string): Promise<void> {
  await runStatement(url, `create database ${migratedTemplate}`)
  const db = await openDatabase({ databaseUrl: nameDatabase(url, migratedTemplate), dataDir: '' })
  await db.destroy()
}
