import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import type { Db } from './database.ts'
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
