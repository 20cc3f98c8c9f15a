import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startApp, signUpOverHttp, type TestApp } from '../../test/apps.ts'
import { type Answer, ask, codeOf, cookiesOf } from '../../test/ask.ts'
import { describeDatabases, makeDataFolder } from '../../test/databases.ts'
import { captureLog } from '../../test/log.ts'
import { googleVariables, signInWithGoogle } from '../../test/google.ts'
import { linkIn, startMailServer } from '../../test/mail-server.ts'
import type { Db } from '../db/database.ts'
import { createEventBus } from '../events.ts'
import { createAuth } from './auth.ts'
import { authPath } from './session.ts'
import { sweepAuthTables } from './sweep.ts'

const password = 'correct horse'

function post(app: TestApp, path: string, body: unknown, from?: string): Promise<Answer> {
  const headers = { origin: app.address, ...(from === undefined ? {} : { 'x-forwarded-for': from }) }
  return ask(`${app.address}/api/auth${path}`, { method: 'POST', headers, body })
}

describe('confirmation mails', () => {
  it('8.9d, 8.9e are written to the outbox and logged where no SMTP is configured, and the account works at once', async () => {
    const dataDir = await makeDataFolder()
    const { logger, lines } = captureLog()
    const app = await startApp({ dataDir, logger })
    const user = await signUpOverHttp(app, 'ann')
    expect(await app.call(user, 'GET', '/api/profile')).toMatchObject({ profile: { username: 'ann' } })
    const outbox = join(dataDir, 'outbox')
    const files = await vi.waitFor(async () => {
      const found = await readdir(outbox)
      expect(found).toHaveLength(1)
      return found
    })
    const path = join(outbox, files[0]!)
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ path })))
    const mail = await readFile(path, 'utf8')
    expect(mail).toMatch(/^To: ann@/m)
    expect(linkIn(mail)).toMatch(new RegExp(`^${app.address}/api/auth/verify-email\\?token=`))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(JSON.stringify(lines)).not.toContain('token=')
  })

  it('8.9e must be confirmed before the account works where SMTP is configured: the mailed link confirms, and signs in where it was asked for', async () => {
    const { url, mails } = await startMailServer()
    const app = await startApp({ variables: { SMTP_URL: url } })
    const email = `ann@${randomUUID()}.example`
    const signedUp = await post(app, '/sign-up/email', { email, password })
    expect(signedUp.status).toBe(200)
    expect(cookiesOf(signedUp)).not.toContain('session_token')
    const early = await post(app, '/sign-in/email', { email, password })
    const message = 'Email not verified'
    expect(early).toMatchObject({
      status: 403,
      json: { message, error: { code: 'unauthenticated', message } },
    })

    await vi.waitFor(() => expect(mails.length).toBeGreaterThan(0))
    expect(mails[0]).toContain(`To: ${email}`)
    const confirmed = await ask(linkIn(mails[0]!), { headers: { cookie: cookiesOf(signedUp) } })
    expect(confirmed.status).toBe(302)
    expect(confirmed.headers.get('location')).toBe('/login?confirmed=1')
    const headers = { cookie: cookiesOf(confirmed) }
    expect((await ask(`${app.address}/api/profile`, { headers })).json).toMatchObject({ profile: { email } })
    expect(await post(app, '/sign-in/email', { email, password })).toMatchObject({ status: 200 })
  })

  it('that cannot be sent are logged, and the account is created', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger, variables: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    expect(await post(app, '/sign-up/email', { email: 'ann@example.org', password })).toMatchObject({
      status: 200,
    })
    await vi.waitFor(() =>
      expect(lines).toContainEqual(
        expect.objectContaining({
          level: 50,
          msg: 'Could not send the confirmation mail; the account was created without it',
        }),
      ),
    )
  })
})

describe('a new account', () => {
  it('8.11b is kept where its profile cannot be created, which is logged, and gets the profile later', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    await sql`alter table profiles rename to profiles_away`.execute(app.db)
    const answer = await post(app, '/sign-up/email', { email: 'ann@example.org', password })
    await sql`alter table profiles_away rename to profiles`.execute(app.db)
    expect(answer.status).toBe(200)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'Could not create the profile of a new account; it will be created on first use',
      }),
    )
    const profile = await ask(`${app.address}/api/profile`, { headers: { cookie: cookiesOf(answer) } })
    expect(profile).toMatchObject({ status: 200, json: { profile: { username: 'ann' } } })
  })
})

describe('signing in with Google', () => {
  it('16.191 does not open an account with a password whose address was not confirmed', async () => {
    const app = await startApp({ variables: googleVariables })
    const email = 'ann@example.org'
    expect((await post(app, '/sign-up/email', { email, password })).status).toBe(200)
    const answer = await signInWithGoogle(app, { email, name: 'Ann' })
    expect(answer.headers.get('location')).toBe('/login?error=account_not_linked')
    expect(cookiesOf(answer)).not.toContain('session_token')
  })

  it('16.288 keeps no token of Google, neither of the first sign-in nor of a later one', async () => {
    const app = await startApp({ variables: googleVariables })
    for (let count = 0; count < 2; count += 1) {
      const answer = await signInWithGoogle(app, { email: 'ann@example.org', name: 'Ann' })
      expect(cookiesOf(answer)).toContain('session_token')
      const { rows } = await sql`select "accessToken", "refreshToken", "idToken" from "account"`.execute(
        app.db,
      )
      expect(rows).toEqual([{ accessToken: null, refreshToken: null, idToken: null }])
    }
  })

  it.each(['?code=code&state=gone', '?state=gone&error=access_denied', '?code=code', ''])(
    '16.192 a return whose start is gone leads to the login page: %s',
    async (query) => {
      const { logger, lines } = captureLog()
      const app = await startApp({ logger, variables: googleVariables })
      const answer = await ask(`${app.address}/api/auth/callback/google${query}`)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toMatch(/^\/login\?error=\w+$/)
      expect(lines.filter(({ level }) => level >= 50)).toEqual([])
    },
  )

  const start = (app: TestApp) => post(app, '/sign-in/social', { provider: 'google', callbackURL: '/' })

  it('2.30e redirects to Google with our credentials once they are configured', async () => {
    const app = await startApp({ variables: googleVariables })
    const { url } = (await start(app)).json as { url: string }
    const query = new URL(url).searchParams
    expect(new URL(url).host).toBe('accounts.google.com')
    expect(query.get('client_id')).toBe('our-client')
    expect(query.get('redirect_uri')).toBe(`${app.address}/api/auth/callback/google`)
    expect(query.get('state')).toMatch(/\S{16}/)
    expect(url).not.toContain('our-secret')
    expect((await ask(`${app.address}/api/config`)).json).toMatchObject({ googleSignIn: true })
  })

  it('2.30e is not available without them', async () => {
    const app = await startApp(captureLog())
    expect((await start(app)).status).toBe(404)
    expect((await ask(`${app.address}/api/config`)).json).toMatchObject({ googleSignIn: false })
  })
})

describe('password guessing', () => {
  it('is rejected after ten attempts a minute per account and address, without blocking others', async () => {
    const app = await startApp({ variables: { PUBLIC_URL: 'http://music.example', TRUST_PROXY: 'loopback' } })
    const attempt = (email: string, from: string) =>
      ask(`${app.address}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { origin: 'http://music.example', 'x-forwarded-for': from },
        body: { email, password: 'wrong guess' },
      })
    const answers: Answer[] = []
    for (let count = 0; count < 11; count += 1) answers.push(await attempt('ann@example.org', '192.0.2.1'))
    expect(answers.map((answer) => answer.status)).toEqual([...Array<number>(10).fill(401), 429])
    const refused = answers.at(-1)!
    expect(codeOf(refused)).toBe('rate_limited')
    expect(refused.json).toMatchObject({
      message: 'Too many requests',
      error: { retryAfterMs: expect.any(Number) },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await attempt('ANN@example.org', '192.0.2.1')).status).toBe(429)
    expect((await attempt('ann@example.org', '192.0.2.2')).status).toBe(401)
    expect((await attempt('bob@example.org', '192.0.2.1')).status).toBe(401)
  })
})

describe('another spelling of the sign-in', () => {
  it.each(['/sign-in/email/', '/sign-in//email', '/sign-in%2Femail', '/SIGN-IN/email', '/./sign-in/email'])(
    'does not bypass the rate limit: %s',
    async (path) => {
      const app = await startApp()
      const statuses: number[] = []
      for (let count = 0; count < 11; count += 1) {
        const body = { email: 'ann@example.org', password: 'wrong guess' }
        statuses.push((await post(app, path, body)).status)
      }
      expect(statuses.at(-1)).not.toBe(401)
    },
  )
})

describeDatabases('loading sign-in', (open) => {
  async function createUnloaded(clock: Clock) {
    const logger = pino({ level: 'silent' })
    return createAuth({
      signUpRule: { check: async () => undefined, admit: async () => ({ hasLibraryAccess: false }) },
      securityLog: { record: () => undefined },
      db: await open(),
      clock,
      logger,
      events: createEventBus(logger),
      secret: 'x'.repeat(32),
      mailer: { send: async () => {} },
      mustConfirm: false,
      isSecure: false,
      google: null,
      isOriginAllowed: () => true,
      takeGuestPoint: async () => {},
      takeMailPoint: async () => {},
    })
  }
  const signOut = () => ({
    method: 'POST',
    path: `${authPath}/sign-out`,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: '{}',
  })
  const withCookie = 'earshot.session_token=unknown'

  it('answers requests that arrived before', async () => {
    const auth = await createUnloaded(createFakeClock(0))
    const early = [auth.handle(signOut()), auth.resolveSession(withCookie)] as const
    await auth.load('http://127.0.0.1:3000')
    onTestFinished(() => auth.close())
    expect((await early[0]).status).toBe(200)
    expect(await early[1]).toBeNull()
  })

  it('rejects requests where it fails, early and late ones, and can be closed', async () => {
    const after = (): never => {
      throw new Error('broken')
    }
    const auth = await createUnloaded({ now: () => 0, after })
    const early = auth.resolveSession(withCookie).catch(() => 'rejected')
    await expect(auth.load('http://127.0.0.1:3000')).rejects.toThrow('broken')
    expect(await early).toBe('rejected')
    await expect(auth.handle(signOut())).rejects.toThrow('broken')
    expect(await auth.resolveSession(undefined)).toBeNull()
    await auth.close()
  })
})

describeDatabases('sweeping', (open) => {
  const nowMs = Date.parse('2026-01-02T12:00:00Z')
  const at = (hours: number): string => new Date(nowMs + hours * 3_600_000).toISOString()

  async function insertUser(db: Db, id: string, hours: number): Promise<void> {
    // The flag is a boolean in PostgreSQL and a number in SQLite; this is false in both.
    await sql`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
      values (${id}, 'Name', ${id}, '0', ${at(hours)}, ${at(hours)})`.execute(db)
  }
  async function insertAccount(db: Db, userId: string): Promise<void> {
    await sql`insert into "account" ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt")
      values (${userId}, ${userId}, 'credential', ${userId}, ${at(0)}, ${at(0)})`.execute(db)
  }
  async function insertSession(db: Db, id: string, userId: string, expiresInHours: number): Promise<void> {
    await sql`insert into "session" ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt")
      values (${id}, ${id}, ${userId}, ${at(expiresInHours)}, ${at(-1)}, ${at(-1)})`.execute(db)
  }
  async function idsOf(db: Db, table: string): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} order by id`.execute(db)
    return rows.map((row) => row.id)
  }

  it('16.288 forgets tokens of Google that a process of an earlier version stored after the migration', async () => {
    const db = await open()
    await insertUser(db, 'whole', -48)
    await insertAccount(db, 'whole')
    await sql`update "account" set "idToken" = 'i'`.execute(db)
    await sweepAuthTables(db, nowMs)
    const { rows } = await sql<{ idToken: string | null }>`select "idToken" from "account"`.execute(db)
    expect(rows).toEqual([{ idToken: null }])
  })

  it('deletes expired sessions, and incomplete accounts', async () => {
    const db = await open()
    await insertUser(db, 'half-made', -2)
    await insertUser(db, 'in the making', -0.5)
    await insertUser(db, 'whole', -48)
    await insertAccount(db, 'whole')
    await insertSession(db, 'over', 'whole', -0.01)
    await insertSession(db, 'running', 'whole', 0.01)
    await sweepAuthTables(db, nowMs)
    expect(await idsOf(db, 'user')).toEqual(['in the making', 'whole'])
    expect(await idsOf(db, 'session')).toEqual(['running'])
  })
})
