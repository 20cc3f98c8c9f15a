import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { type AppOptions, type TestApp, startApp } from './apps.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'

/** The PostgreSQL database and the Redis database that two servers share. */
export type SharedEngines = Required<Pick<AppOptions, 'databaseUrl' | 'redisUrl'>>

/** Creates a migrated PostgreSQL database and reserves a Redis database: each test's clock differs. */
export async function makeSharedEngines(): Promise<SharedEngines> {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
  return { databaseUrl, redisUrl: `${inject('redisUrl')}/${await takeRedisDatabase(inject('redisUrl'))}` }
}

/** Starts two servers, in this process, that share a database and a Redis. */
export async function startTwo(
  clock = createFakeClock(performance.timeOrigin),
  options: AppOptions = {},
): Promise<[TestApp, TestApp]> {
  const shared = { ...(await makeSharedEngines()), clock, ...options }
  return [await startApp(shared), await startApp(shared)]
}

/** Counted in database 0, which the files of a run share. */
async function takeRedisDatabase(url: string): Promise<number> {
  const redis = new Redis(url)
  try {
    return await redis.incr('test:databases')
  } finally {
    redis.disconnect()
  }
}
