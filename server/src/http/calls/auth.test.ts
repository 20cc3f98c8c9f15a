import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { type AppOptions, shareApp, startApp, type TestApp } from '../../../test/apps.ts'
import { type Answer, ask, cookiesOf } from '../../../test/ask.ts'
import { makeDataFolder } from '../../../test/databases.ts'
import { captureLog } from '../../../test/log.ts'
import { createPostgresDatabase, migratedTemplate } from '../../../test/postgres.ts'

interface Credentials {
  email?: unknown
  password?: unknown
  name?: unknown
  username?: unknown
  image?: unknown
}

const password = 'secret'

function makeEmail(name = 'Ann'): string {
  return `${name}@${randomUUID()}.example`
}

function post(app: TestApp, path: string, body?: unknown, cookie = ''): Promise<Answer> {
  const headers = { origin: app.address, ...(cookie === '' ? {} : { cookie }) }
  return ask(`${app.address}/api/auth${path}`, { method: 'POST', headers, body })
}

const signUp = (app: TestApp, body: Credentials) => post(app, '/sign-up/email', body)
const signIn = (app: TestApp, body: Credentials) => post(app, '/sign-in/email', body)

const readSession = (app: TestApp, cookie: string) =>
  ask(`${app.address}/api/auth/get-session`, { headers: { cookie } })

const readProfile = (app: TestApp, cookie: string) =>
  ask(`${app.address}/api/profile`, { headers: { cookie } })

const engines: [string, () => Promise<AppOptions>][] = [
  ['SQLite', async () => ({})],
  [
    'PostgreSQL',
    async () => ({ databaseUrl: await createPostgresDatabase(inject('postgresUrl'), migratedTemplate) }),
  ],
]

const app = shareApp({ variables: { SIGN_UPS_PER_HOUR: '1000' } })

describe.each(engines)('accounts on %s', (_name, makeOptions) => {
  const app = shareApp(makeOptions)

  it('7.9a, 8.9d, 1.5 sign up, sign in and sign out with email and password', async () => {
    const email = makeEmail()
    const signedUp = await signUp(app, { email, password })
    expect(signedUp).toMatchObject({ status: 200, json: { user: { email: email.toLowerCase() } } })
    expect(await readProfile(app, cookiesOf(signedUp))).toMatchObject({ status: 200 })

    const signedIn = await signIn(app, { email: email.toUpperCase(), password })
    expect(signedIn.status).toBe(200)
    const cookie = cookiesOf(signedIn)
    expect(await readProfile(app, cookie)).toMatchObject({ status: 200 })

    expect(await post(app, '/sign-out', {}, cookie)).toMatchObject({ status: 200, json: { success: true } })
    expect(await readProfile(app, cookie)).toMatchObject({ status: 401 })
    expect(await readSession(app, cookie)).toMatchObject({ status: 200, json: null })
    // The other session is not affected.
    expect(await readProfile(app, cookiesOf(signedUp))).toMatchObject({ status: 200 })
  })

  it('7.7a, 3.6a sign-up creates a profile named after the part of the email before the @ sign', async () => {
    const email = makeEmail('ann.lee')
    const signedUp = await signUp(app, { email, password, name: 'Somebody Else' })
    const { user } = signedUp.json as { user: { id: string } }
    expect((await readProfile(app, cookiesOf(signedUp))).json).toEqual({
      profile: {
        id: user.id,
        email,
        username: 'ann.lee',
        full_name: '',
        avatar_url: null,
        preferred_source: 'library',
        spotify_connected: false,
        match_elsewhere: false,
        youtube_connected: false,
      },
    })
  })

  it('16.27 sign-up may choose the name in the profile', async () => {
    const answer = await signUp(app, { email: makeEmail('ann'), password, username: ' Anna Lee ' })
    expect((await readProfile(app, cookiesOf(answer))).json).toMatchObject({
      profile: { username: 'Anna Lee' },
    })
  })

  it('7.9b, 3.7, 4.1a the session returns the user on load, and the name can be updated', async () => {
    const email = makeEmail('ann')
    const cookie = cookiesOf(await signUp(app, { email, password }))
    expect((await readSession(app, cookie)).json).toMatchObject({
      session: { userId: expect.any(String), ipAddress: '127.0.0.1' },
      user: { id: expect.any(String), email, name: 'ann', image: null },
    })
    expect(await post(app, '/update-user', { name: ' Anna ' }, cookie)).toMatchObject({ status: 200 })
    expect((await readSession(app, cookie)).json).toMatchObject({ user: { name: 'Anna' } })
    expect(await post(app, '/update-user', { name: 'Nobody' })).toMatchObject({ status: 401 })
  })
})

const badPictures = [
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  `https://x.example/${'a'.repeat(500)}`,
]

describe('signing in and up', () => {
  it('16.115 logs no error where a stranger sends nonsense', async () => {
    const { logger, lines } = captureLog()
    const printed = vi.spyOn(console, 'error')
    onTestFinished(() => printed.mockRestore())
    const app = await startApp({ logger })
    const body = { email: makeEmail(), password, callbackURL: 'https://evil.example' }
    expect(await signUp(app, body)).toMatchObject({ status: 403 })
    expect(await post(app, '/link-social', { provider: 'nobody' })).toMatchObject({ status: 401 })
    expect(lines.filter(({ level }) => level >= 50)).toEqual([])
    // Without the format of the log, whatever its level.
    expect(printed).not.toHaveBeenCalled()
  })

  it.each(badPictures)('16.109 refuses a picture with the address %.30s', async (image) => {
    const refused = { status: 400, json: { error: { code: 'invalid_input' } } }
    expect(await signUp(app, { email: makeEmail(), password, image })).toMatchObject(refused)
    const cookie = cookiesOf(await signUp(app, { email: makeEmail(), password }))
    expect(await post(app, '/update-user', { image }, cookie)).toMatchObject(refused)
  })

  it('16.265 takes no picture from the user: its server would learn of all who see the profile', async () => {
    const image = 'https://tracker.example/picture.png'
    const email = makeEmail()
    const cookie = cookiesOf(await signUp(app, { email, password, image }))
    expect((await readSession(app, cookie)).json).toMatchObject({ user: { image: null } })
    expect(await post(app, '/update-user', { name: 'Ann', image }, cookie)).toMatchObject({ status: 200 })
    expect((await readSession(app, cookie)).json).toMatchObject({ user: { name: 'Ann', image: null } })
    const { rows } = await sql<{
      pictures: number
    }>`select count("avatar_url") as pictures from "profiles"`.execute(app.db)
    expect(Number(rows[0]?.pictures)).toBe(0)
  })

  it('5.1a, 8.9a, 8.9b requires email and password, with these messages', async () => {
    const message = 'Email and password are required'
    for (const body of [
      {},
      { email: makeEmail() },
      { password },
      { email: ' ', password },
      { email: makeEmail(), password: '' },
    ]) {
      expect(await signUp(app, body)).toMatchObject({
        status: 400,
        json: { message, error: { code: 'invalid_input', message } },
      })
      expect(await signIn(app, body)).toMatchObject({
        status: 400,
        json: { message, error: { code: 'invalid_input' } },
      })
    }
  })

  it('5.1b, 9.19 sign up accepts a password of 6 characters, and rejects one of 5', async () => {
    expect(await signUp(app, { email: makeEmail(), password: '12345' })).toMatchObject({
      status: 400,
      json: { message: 'Password must be at least 6 characters' },
    })
    expect(await signUp(app, { email: makeEmail(), password: '123456' })).toMatchObject({ status: 200 })
  })

  it('rejects invalid details, and creates no account', async () => {
    const app = await startApp()
    for (const body of [
      { email: 'ann', password },
      { email: `${'a'.repeat(300)}@example.org`, password },
      { email: 7, password },
      { email: makeEmail(), password: { $ne: null } },
      { email: makeEmail(), password: 'p'.repeat(200) },
      { email: makeEmail(), password, name: '' },
      { email: makeEmail(), password, name: ['Ann'] },
      { email: makeEmail(), password, username: '\u200b' },
      { email: makeEmail(), password, username: 'a'.repeat(1_000) },
      [],
      'null',
      '{"email":',
    ]) {
      const answer = await signUp(app, body as Credentials)
      expect([body, answer.status]).toEqual([body, 400])
      expect(answer.json).toMatchObject({ message: expect.stringMatching(/./) })
    }
    const accounts = await sql`select id from "user"`.execute(app.db)
    expect(accounts.rows).toEqual([])
  })

  it('8.9a does not reveal whether the email or the password was wrong', async () => {
    const email = makeEmail()
    await signUp(app, { email, password })
    const wrong = await signIn(app, { email, password: 'another' })
    const unknown = await signIn(app, { email: makeEmail(), password })
    const message = 'Invalid email or password'
    expect(wrong).toMatchObject({
      status: 401,
      json: { message, error: { code: 'unauthenticated', message } },
    })
    expect(unknown).toMatchObject({ status: wrong.status, json: wrong.json })
    expect(wrong.headers.getSetCookie()).toEqual([])
  })

  it('8.9b treats email addresses as case-insensitive', async () => {
    const email = makeEmail()
    await signUp(app, { email, password })
    const again = await signUp(app, { email: email.toUpperCase(), password: 'another' })
    expect(again).toMatchObject({ status: 422, json: { message: expect.stringContaining('already exists') } })
    expect(await signIn(app, { email, password })).toMatchObject({ status: 200 })
  })

  it('never stores a password in plain text', async () => {
    const app = await startApp()
    await signUp(app, { email: makeEmail(), password: 'very recognisable' })
    const { rows } = await sql`select * from account`.execute(app.db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('recognisable')
  })
})

describe('the session', () => {
  it('9.28, 4.1a is stored in an HttpOnly cookie for 30 days', async () => {
    const signedUp = await signUp(app, { email: makeEmail(), password })
    const line = signedUp.headers.getSetCookie().find((each) => each.startsWith('earshot.session_token='))
    expect(line).toMatch(/; HttpOnly/)
    expect(line).toMatch(/; SameSite=Lax/)
    expect(line).toMatch(/; Max-Age=2592000;/)
    expect(line).toMatch(/; Path=\//)
    expect(line).not.toMatch(/Secure/)
  })

  it('9.28 survives a server restart', async () => {
    const dataDir = await makeDataFolder()
    const first = await startApp({ dataDir })
    const cookie = cookiesOf(await signUp(first, { email: makeEmail('ann'), password }))
    await first.close()
    const second = await startApp({ dataDir })
    expect((await readProfile(second, cookie)).json).toMatchObject({ profile: { username: 'ann' } })
  })

  it('9.28 is renewed by use, together with its cookie', async () => {
    const cookie = cookiesOf(await signUp(app, { email: makeEmail(), password }))
    expect((await readSession(app, cookie)).headers.getSetCookie()).toEqual([])
    const inTenDays = new Date(Date.now() + 10 * 24 * 60 * 60 * 1_000).toISOString()
    await sql`update session set "expiresAt" = ${inTenDays}`.execute(app.db)
    await readProfile(app, cookie)
    const renewed = await readSession(app, cookie)
    expect(renewed.headers.getSetCookie().join()).toMatch(/earshot\.session_token=.*Max-Age=2592000/)
    const inTwentyNineDays = Date.now() + 29 * 24 * 60 * 60 * 1_000
    const { session } = renewed.json as { session: { expiresAt: string } }
    expect(Date.parse(session.expiresAt)).toBeGreaterThan(inTwentyNineDays)
  })

  it('ends when it expires', async () => {
    const cookie = cookiesOf(await signUp(app, { email: makeEmail(), password }))
    await sql`update session set "expiresAt" = ${new Date(Date.now() - 1_000).toISOString()}`.execute(app.db)
    expect(await readProfile(app, cookie)).toMatchObject({ status: 401 })
  })

  it('is null without a cookie, with a forged one, or with one of another server', async () => {
    const other = await startApp({ variables: { SECRET: 'another secret that signs other cookies' } })
    const foreign = cookiesOf(await signUp(other, { email: makeEmail(), password }))
    for (const cookie of ['', 'earshot.session_token=abc.def', 'earshot.session_token=', foreign]) {
      expect(await readProfile(app, cookie)).toMatchObject({
        status: 401,
        json: { error: { code: 'unauthenticated', message: 'User not authenticated' } },
      })
    }
  })

  it('has a Secure cookie where the public URL is https', async () => {
    const app = await startApp({ variables: { PUBLIC_URL: 'https://music.example.org' } })
    const answer = await ask(`${app.address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: 'https://music.example.org' },
      body: { email: makeEmail(), password },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie().join()).toMatch(/^__Secure-earshot\.session_token=.*; Secure/)
    expect(await readProfile(app, cookiesOf(answer))).toMatchObject({ status: 200 })
    expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=/)
  })
})
