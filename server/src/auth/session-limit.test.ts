import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signUpOverHttp, startApp } from '../../test/apps.ts'
import { ask, cookiesOf } from '../../test/ask.ts'
import { addSession } from '../../test/sign-in.ts'
import { serverLimits } from '../server-limits.ts'

const password = 'correct horse'

async function startWithSessions(count: number) {
  const app = await startApp()
  const ann = await signUpOverHttp(app, 'ann')
  const others: string[] = []
  for (let n = 0; n < count; n += 1) others.push(await addSession(app.db, app.secret, ann.id))
  const post = (path: string, body: object, cookie = ann.cookie) =>
    ask(`${app.address}/api/auth${path}`, { method: 'POST', headers: { cookie, origin: app.address }, body })
  const isGood = async (cookie: string) =>
    (await ask(`${app.address}/api/profile`, { headers: { cookie } })).status === 200
  const countStored = async () =>
    (await sql`select 1 from "session" where "userId" = ${ann.id}`.execute(app.db)).rows.length
  return { app, ann, others, post, isGood, countStored }
}

it.each([
  ['/change-password', { currentPassword: password, newPassword: 'battery staple' }],
  ['/revoke-other-sessions', {}],
])('15.78 %s ends all other sessions, however many somebody has begun', async (path, body) => {
  const { ann, others, post, isGood, countStored } = await startWithSessions(150)
  expect(await isGood(others.at(-1)!)).toBe(true)
  expect((await post(path, body)).status).toBe(200)
  expect(await countStored()).toBe(1)
  expect([await isGood(ann.cookie), await isGood(others[0]!), await isGood(others.at(-1)!)]).toEqual([
    true,
    false,
    false,
  ])
})

it('15.78 a user has 50 sessions at most: a new one ends those that were not used for longest', async () => {
  const { app, ann, others, post, isGood, countStored } = await startWithSessions(
    serverLimits.sessionsPerUser + 5,
  )
  const { rows } = await sql<{ email: string }>`select "email" from "user" where "id" = ${ann.id}`.execute(
    app.db,
  )
  const signedIn = await post('/sign-in/email', { email: rows[0]!.email, password }, '')
  expect(signedIn.status).toBe(200)
  expect(await countStored()).toBe(serverLimits.sessionsPerUser)
  expect(await isGood(cookiesOf(signedIn))).toBe(true)
  expect([await isGood(ann.cookie), await isGood(others.at(-1)!)]).toEqual([false, true])
})
