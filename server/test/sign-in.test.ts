import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/db/database.ts'
import { signUpOverHttp, startApp, type TestApp } from './apps.ts'
import { ask } from './ask.ts'
import { describeDatabases, makeDataFolder } from './databases.ts'
import { insertSession } from './sign-in.ts'

const tables = ['user', 'account', 'session', 'profiles']

/** The rows of the account, without what differs between any two accounts. */
async function readRows(app: TestApp, userId: string): Promise<unknown[]> {
  const differing = { id: null, accountId: null, userId: null, email: null, token: null, password: null }
  const names = { name: null, username: null, name_key: null, name_look: null }
  const client = { ipAddress: null, userAgent: null }
  const rows = tables.map(async (table) => {
    const owner = table === 'user' || table === 'profiles' ? 'id' : 'userId'
    const found = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
      where ${sql.ref(owner)} = ${userId}`.execute(app.db)
    return found.rows.map((row) => {
      const dates = Object.keys(row).filter((name) => /At$|_at$/.test(name))
      return {
        ...row,
        ...differing,
        ...names,
        ...client,
        ...Object.fromEntries(dates.map((name) => [name, null])),
      }
    })
  })
  return Promise.all(rows)
}

async function readSession(app: TestApp, cookie: string): Promise<unknown> {
  return (await ask(`${app.address}/api/auth/get-session`, { headers: { cookie } })).json
}

describeDatabases('an inserted session', (_open, make) => {
  it('leaves the rows of a sign-up, and the server takes its cookie', async () => {
    const { databaseUrl } = await make()
    const app = await startApp(databaseUrl === null ? {} : { databaseUrl })
    const signedUp = await signUpOverHttp(app, 'ann')
    const inserted = await insertSession(app.db, app.secret, { name: 'ben' })
    expect(await readRows(app, inserted.id)).toEqual(await readRows(app, signedUp.id))
    expect(await readSession(app, signedUp.cookie)).toMatchObject({ user: { id: signedUp.id } })
    expect(await readSession(app, inserted.cookie)).toMatchObject({
      user: { id: inserted.id, email: inserted.email, name: 'ben' },
    })
  })
})

it('a session that a second connection inserts is good at once', async () => {
  const dataDir = await makeDataFolder()
  const app = await startApp({ dataDir })
  const db = await openDatabase({ databaseUrl: null, dataDir })
  onTestFinished(() => db.destroy())
  const { cookie, id } = await insertSession(db, app.secret, { name: 'ann' })
  expect(await readSession(app, cookie)).toMatchObject({ user: { id } })
  expect(await readSession(app, cookie.slice(0, -4))).toBeNull()
})
