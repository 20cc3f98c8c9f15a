import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { createPostgresDatabase, migratedTemplate } from '../../test/postgres.ts'
import { type Db, openDatabase } from './database.ts'
import { prepareQuery } from './prepared-query.ts'

describeDatabases('a prepared query', (open) => {
  it('is compiled once and runs with the values of each call, also in a transaction', async () => {
    const db = await open()
    let builds = 0
    const add = prepareQuery((on: Db, { a, b }: { a: number; b: number }) => {
      builds += 1
      return sql<{ sum: number }>`select cast(${a} as integer) + cast(${b} as integer) + ${sql.lit(1)} as sum,
        cast(${a} as integer) as a`.compile(on)
    })
    expect((await add(db, { a: 1, b: 2 })).rows).toEqual([{ sum: 4, a: 1 }])
    expect((await add(db, { b: 20, a: 10 })).rows).toEqual([{ sum: 31, a: 10 }])
    const inside = await db.transaction().execute((transaction) => add(transaction, { a: 5, b: 5 }))
    expect(inside.rows).toEqual([{ sum: 11, a: 5 }])
    expect(builds).toBe(1)
  })
})

it('15.70 on PostgreSQL an update that runs with every command is parsed once per connection; a read each time', async () => {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  onTestFinished(() => db.destroy())
  const rename = prepareQuery((on: Db, { id, name }: { id: string; name: string }) =>
    on.updateTable('rooms').set({ name }).where('id', '=', id).compile(),
  )
  const find = prepareQuery((on: Db, { id }: { id: string }) =>
    on.selectFrom('rooms').selectAll().where('id', '=', id).compile(),
  )
  const statements = await db.transaction().execute(async (connection) => {
    for (const name of ['a', 'b']) await rename(connection, { id: 'none', name })
    await find(connection, { id: 'none' })
    return await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(connection)
  })
  expect(statements.rows).toEqual([{ statement: 'update "rooms" set "name" = $1 where "id" = $2' }])
})
