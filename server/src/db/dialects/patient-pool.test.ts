import { randomBytes } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { runStatement } from '../../../test/postgres.ts'
import { createPostgresDialect } from './postgres.ts'

const connections = 3

/** Opens a database as an account to which PostgreSQL gives few connections. */
async function openWithFew(): Promise<Kysely<unknown>> {
  const url = inject('postgresUrl')
  const role = `few_${randomBytes(4).toString('hex')}`
  await runStatement(url, `create role ${role} login connection limit ${connections}`)
  onTestFinished(() => runStatement(url, `drop role ${role}`))
  const address = new URL(url)
  address.username = role
  const db = new Kysely<unknown>({ dialect: createPostgresDialect(address.href, () => {}) })
  onTestFinished(() => db.destroy())
  return db
}

it('16.152 queries wait for a connection where PostgreSQL gives fewer than the pool may have', async () => {
  const db = await openWithFew()
  const query = async (): Promise<number | undefined> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(db)).rows[0]?.pid
  const pids = await Promise.all(Array.from({ length: 40 }, query))
  expect(new Set(pids).size).toBeLessThanOrEqual(connections)
})
