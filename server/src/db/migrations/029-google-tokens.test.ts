import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { insertSession } from '../../../test/sign-in.ts'
import { googleTokens } from './029-google-tokens.ts'

describeDatabases('the migration of the tokens of Google', (open) => {
  it('16.288 forgets them, and keeps the accounts', async () => {
    const db = await open()
    const { id } = await insertSession(db, 'secret', { name: 'ann' })
    await sql`update "account" set "accessToken" = 'a', "refreshToken" = 'r', "idToken" = 'i'`.execute(db)
    await googleTokens.up(db)
    const { rows } = await sql`select "userId", "accessToken", "refreshToken", "idToken"
      from "account"`.execute(db)
    expect(rows).toEqual([{ userId: id, accessToken: null, refreshToken: null, idToken: null }])
  })
})
