import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { enterAsGuest, signUp, signUpOverHttp, startApp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'
import { describeDatabases } from '../../test/databases.ts'
import { addSession, insertSession } from '../../test/sign-in.ts'
import { connect } from '../../test/sockets.ts'
import { type Db, engineOf } from '../db/database.ts'
import { newId } from '../ids.ts'
import { findSession, readSignedCookies } from './read-session.ts'

const secret = 'a secret of the tests, which is long enough'
const name = 'earshot.session_token'

const read = (cookies: string): string | null => readSignedCookies(cookies, { name, secret })[0] ?? null
const tokenOf = (cookie: string): string => read(cookie) ?? ''

describeDatabases('a stored session', (open) => {
  it('15.59 is found with its user and their profile, and not after its time or for a disabled user', async () => {
    const db = await open()
    const ann = await insertSession(db, secret, { name: `ann ${newId()}` })
    const find = (cookie = ann.cookie) => findSession(db, tokenOf(cookie))
    const user = { id: ann.id, email: ann.email, name: ann.name, username: ann.name, avatarUrl: null }
    const expected = { id: expect.any(String), user: { ...user, isGuest: false, isAdmin: false } }
    const other = await addSession(db, secret, ann.id)
    const found = [await find(), await find(other)]
    expect(found).toEqual([expected, expected])
    expect(found[0]).not.toEqual(found[1])
    expect(await findSession(db, 'no such token')).toBeNull()

    await sql`update "user" set "role" = 'admin' where "id" = ${ann.id}`.execute(db)
    await sql`update profiles set avatar_url = '/me.png', username = ${newId()} where id = ${ann.id}`.execute(
      db,
    )
    expect(await find()).toMatchObject({ user: { avatarUrl: '/me.png', isAdmin: true, name: ann.name } })
    await sql`update "session" set "expiresAt" = ${past} where "token" = ${tokenOf(other)}`.execute(db)
    expect(await find(other)).toBe('expired')
    await sql`update "user" set "banned" = ${flag(db, true)} where "id" = ${ann.id}`.execute(db)
    expect(await find()).toBeNull()
  })

  it('15.59 of a user without a profile has the name of the account, and that of a guest no email', async () => {
    const db = await open()
    const ann = await insertSession(db, secret, { name: `ann ${newId()}` })
    await sql`delete from profiles where id = ${ann.id}`.execute(db)
    await sql`update "user" set "image" = '/of-google.png' where "id" = ${ann.id}`.execute(db)
    const username = ann.email.split('@')[0]
    const found = await findSession(db, tokenOf(ann.cookie))
    expect(found).toMatchObject({ user: { username, avatarUrl: '/of-google.png', isGuest: false } })
    await sql`update "user" set "isAnonymous" = ${flag(db, true)} where "id" = ${ann.id}`.execute(db)
    const guest = { username: ann.name, email: '', isGuest: true }
    expect(await findSession(db, tokenOf(ann.cookie))).toMatchObject({ user: guest })
  })
})

const tokenIn = (secret: string, cookie: string): string =>
  readSignedCookies(cookie, { name, secret })[0] ?? ''
const past = new Date(Date.now() - 1_000).toISOString()

function flag(db: Db, value: boolean): boolean | number {
  return engineOf(db) === 'postgres' ? value : Number(value)
}

it('15.59, 15.75 only a cookie that the server signed counts, and the first such of its name', () => {
  const signed = (value: string): string => `${name}=${encodeURIComponent(value)}`
  const signature = createHmac('sha256', secret).update('token').digest('base64')
  const good = `token.${signature}`
  expect(read(signed(good))).toBe('token')
  expect(read(`a=1; ${signed(good)}; b=2`)).toBe('token')
  expect(read(`${signed(good)}; ${signed('other.x')}`)).toBe('token')
  expect(read(`${signed('other.x')}; ${signed(good)}`)).toBe('token')
  for (const forged of ['token', 'token.', `.${signature}`, good.replace('token', 'taken'), `${good}=`]) {
    expect(read(signed(forged))).toBeNull()
  }
  for (const cookies of ['', ';;', name, `${name}=%`, `x${signed(good)}`]) expect(read(cookies)).toBeNull()
})

it('15.59 a call is refused at once after its session ended: expired, or deleted by another process', async () => {
  const app = await startApp()
  const ann = await signUp(app, 'ann')
  const status = async (cookie: string) =>
    (await ask(`${app.address}/api/profile`, { headers: { cookie } })).status
  const other = await addSession(app.db, app.secret, ann.id)
  const { socket } = await connect(app, { ...ann, cookie: other })
  expect([await status(ann.cookie), await status(other)]).toEqual([200, 200])

  const ended = new Promise((resolve) => socket.once('disconnect', resolve))
  const [token] = readSignedCookies(other, { name, secret: app.secret })
  await sql`update "session" set "expiresAt" = ${past} where "token" = ${token}`.execute(app.db)
  expect(await status(other)).toBe(401)
  expect(await ended).toBe('io server disconnect')
  const { rows } = await sql`select 1 from "session" where "token" = ${token}`.execute(app.db)
  expect(rows).toEqual([])

  await sql`delete from "session" where "userId" = ${ann.id}`.execute(app.db)
  expect(await status(ann.cookie)).toBe(401)
})

it('15.75 a session cookie that has ended or was forged hides no good one, for our calls and for the sign-in library', async () => {
  const app = await startApp()
  const ann = await signUpOverHttp(app, 'ann')
  const ended = await addSession(app.db, app.secret, ann.id)
  await sql`delete from "session" where "token" = ${tokenIn(app.secret, ended)}`.execute(app.db)
  const expired = await addSession(app.db, app.secret, ann.id)
  const token = tokenIn(app.secret, expired)
  await sql`update "session" set "expiresAt" = ${past} where "token" = ${token}`.execute(app.db)
  for (const bad of [`${name}=forged.x`, `${name}=%`, ended, expired]) {
    const headers = { cookie: `${bad}; ${ann.cookie}` }
    expect((await ask(`${app.address}/api/profile`, { headers })).status).toBe(200)
    const session = await ask(`${app.address}/api/auth/get-session`, { headers })
    expect(session.json).toMatchObject({ user: { id: ann.id } })
    const { socket } = await connect(app, { ...ann, cookie: headers.cookie })
    expect(socket.connected).toBe(true)
  }
})

it('15.75 of two good session cookies our calls and the sign-in library take the same', async () => {
  const app = await startApp()
  const [ann, ben] = [await signUpOverHttp(app, 'ann'), await signUpOverHttp(app, 'ben')]
  const headers = { cookie: `${name}=forged.x; ${ben.cookie}; ${ann.cookie}` }
  const profile = await ask(`${app.address}/api/profile`, { headers })
  expect(profile.json).toMatchObject({ profile: { id: ben.id } })
  const signedOut = await ask(`${app.address}/api/auth/sign-out`, { method: 'POST', headers, body: {} })
  expect(signedOut.status).toBe(200)
  const status = async ({ cookie }: { cookie: string }) =>
    (await ask(`${app.address}/api/profile`, { headers: { cookie } })).status
  expect([await status(ann), await status(ben)]).toEqual([200, 401])
})

it('15.59 the session is the one that the sign-in library knows, of an account and of a guest', async () => {
  const app = await startApp()
  for (const { id, cookie } of [await signUpOverHttp(app, 'ann'), await enterAsGuest(app, 'Guest')]) {
    const { json } = await ask(`${app.address}/api/auth/get-session`, { headers: { cookie } })
    const { session, user } = json as { session: { id: string; token: string }; user: { id: string } }
    expect(user.id).toBe(id)
    const [token = ''] = readSignedCookies(cookie, { name, secret: app.secret })
    const found = await findSession(app.db, token)
    expect(found).toMatchObject({ id: session.id, user: { id } })
  }
})
