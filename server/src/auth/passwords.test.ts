import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { type AppOptions, shareApp, startApp, type TestApp } from '../../test/apps.ts'
import { type Answer, ask, codeOf, cookiesOf } from '../../test/ask.ts'
import { captureLog } from '../../test/log.ts'
import { linkIn, mailTo, startMailServer } from '../../test/mail-server.ts'
import { createPostgresDatabase, migratedTemplate } from '../../test/postgres.ts'
import { connect } from '../../test/sockets.ts'
import { serverLimits } from '../server-limits.ts'
import { otherRates } from '../limits/rates.ts'

const password = 'correct horse'
const newPassword = 'battery staple'
const makeEmail = () => `ann@${randomUUID()}.example`

function post(app: TestApp, path: string, body: unknown = {}, cookie = ''): Promise<Answer> {
  const headers = { origin: app.address, ...(cookie === '' ? {} : { cookie }) }
  return ask(`${app.address}/api/auth${path}`, { method: 'POST', headers, body })
}

const signIn = (app: TestApp, email: string, word: string) =>
  post(app, '/sign-in/email', { email, password: word })
const askForMail = (app: TestApp, email: string) => post(app, '/request-password-reset', { email })
const readProfile = async (app: TestApp, cookie: string) =>
  (await ask(`${app.address}/api/profile`, { headers: { cookie } })).status

async function signUp(app: TestApp): Promise<{ email: string; cookie: string }> {
  const email = makeEmail()
  return { email, cookie: cookiesOf(await post(app, '/sign-up/email', { email, password })) }
}

/** Waits for this many mails about passwords and returns them, the oldest first. */
async function readMails(dataDir: string, count: number): Promise<string[]> {
  return vi.waitFor(async () => {
    const folder = join(dataDir, 'outbox')
    const names = (await readdir(folder)).toSorted()
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const found = mails.filter((mail) => mail.includes('Subject: Set a new password'))
    expect(found).toHaveLength(count)
    return found
  })
}

function tokenIn(mail = ''): string {
  const text = mail.replace(/=\r?\n/g, '')
  const token = /\/reset-password#([\w-]+)/.exec(text)?.[1]
  if (token === undefined) throw new Error(`No link in: ${text}`)
  return token
}

const engines: [string, () => Promise<AppOptions>][] = [
  ['SQLite', async () => ({})],
  [
    'PostgreSQL',
    async () => ({ databaseUrl: await createPostgresDatabase(inject('postgresUrl'), migratedTemplate) }),
  ],
]

const app = shareApp()

describe.each(engines)('a new password by mail on %s', (_name, makeOptions) => {
  it('16.20, 16.21 the mailed link sets it once, and ends all sessions and their connections', async () => {
    const app = await startApp(await makeOptions())
    const { dataDir } = app
    const { email, cookie } = await signUp(app)
    const { socket } = await connect(app, { id: '', name: 'ann', cookie })
    await askForMail(app, email.toUpperCase())
    await askForMail(app, email)
    const [first, second] = await readMails(dataDir, 2)
    expect(first).toContain(`To: ${email}`)

    const body = { token: tokenIn(first), newPassword }
    expect(await post(app, '/reset-password', { ...body, newPassword: '12345' })).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_input', message: 'Password must be at least 6 characters' } },
    })
    expect(await post(app, '/reset-password', body)).toMatchObject({ status: 200 })
    expect(await readProfile(app, cookie)).toBe(401)
    await vi.waitFor(() => expect(socket.connected).toBe(false))
    expect((await signIn(app, email, password)).status).toBe(401)
    expect((await signIn(app, email, newPassword)).status).toBe(200)
    // Neither the used link works again, nor that of the other mail.
    for (const token of [body.token, tokenIn(second), 'made-up']) {
      expect(await post(app, '/reset-password', { token, newPassword })).toMatchObject({
        status: 400,
        json: { message: 'Invalid token', error: { code: 'invalid_input' } },
      })
    }
  })
})

describe('a new password by mail', () => {
  it('16.20 answers the same for an address without an account, and sends nothing', async () => {
    const app = await startApp()
    const { dataDir } = app
    const { email } = await signUp(app)
    const unknown = await askForMail(app, makeEmail())
    const known = await askForMail(app, email)
    expect(known).toMatchObject({ status: 200 })
    expect(unknown).toMatchObject({ status: known.status, json: known.json })
    await readMails(dataDir, 1)
  })

  it('16.20 comes from the configured sender', async () => {
    const app = await startApp({ variables: { MAIL_FROM: 'Our music <music@example.org>' } })
    await askForMail(app, (await signUp(app)).email)
    expect((await readMails(app.dataDir, 1))[0]).toContain('From: Our music <music@example.org>')
  })

  it('17.81 is written in the language of the request', async () => {
    const app = await startApp()
    const { dataDir } = app
    const { email } = await signUp(app)
    const headers = { origin: app.address, 'accept-language': 'en', cookie: 'language=de' }
    const path = '/api/auth/request-password-reset'
    await ask(app.address + path, { method: 'POST', headers, body: { email } })
    await vi.waitFor(async () => {
      const names = await readdir(join(dataDir, 'outbox'))
      const mails = await Promise.all(names.map((name) => readFile(join(dataDir, 'outbox', name), 'utf8')))
      expect(mails.join('')).toContain('Subject: Lege ein neues Passwort fest')
    })
  })

  it.each([{}, { email: '' }, { email: 'ann' }, { email: 7 }, []])('16.20 rejects %j', async (body) => {
    const answer = await post(app, '/request-password-reset', body)
    expect(answer.status).toBe(400)
    expect(codeOf(answer)).toBe('invalid_input')
  })

  it('16.20 goes through SMTP where that is configured', async () => {
    const { url, mails } = await startMailServer()
    const app = await startApp({ variables: { SMTP_URL: url } })
    const { email } = await signUp(app)
    await askForMail(app, email)
    await vi.waitFor(() =>
      expect(mails.find((mail) => mail.includes('Set a new password'))).toContain(`To: ${email}`),
    )
  })

  it('16.21 the link works for an hour, and its token is in no log and not in the database', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const { email } = await signUp(app)
    await askForMail(app, email)
    const [mail] = await readMails(app.dataDir, 1)
    const token = tokenIn(mail)
    const { rows } = await sql<{ expiresAt: string }>`select * from "verification"`.execute(app.db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(Date.parse(rows[0]!.expiresAt) / 60_000).toBeCloseTo(Date.now() / 60_000 + 60, 0)
    const past = new Date(Date.now() - 1).toISOString()
    await sql`update "verification" set "expiresAt" = ${past}`.execute(app.db)
    expect((await post(app, '/reset-password', { token, newPassword })).status).toBe(400)
    expect((await signIn(app, email, password)).status).toBe(200)
    expect(JSON.stringify(lines)).not.toContain(token)
  })

  it('16.22 an account gets at most five such mails an hour, and the answer stays the same', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const { email } = await signUp(app)
    for (let count = 0; count <= serverLimits.mailsPerHour; count += 1) {
      expect((await askForMail(app, email)).status).toBe(200)
    }
    await vi.waitFor(() =>
      expect(lines).toContainEqual(
        expect.objectContaining({
          kind: 'passwordReset',
          msg: 'Too many mails of one kind within an hour; none was sent',
        }),
      ),
    )
    await readMails(app.dataDir, serverLimits.mailsPerHour)
  })

  it('16.188 a stranger who goes on asking withholds no mail: only those that were sent count', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const app = await startApp()
    const { dataDir } = app
    const { email } = await signUp(app)
    const askOften = async () => {
      for (let count = 0; count < serverLimits.mailsPerHour; count += 1) await askForMail(app, email)
    }
    await askOften()
    await readMails(dataDir, serverLimits.mailsPerHour)
    vi.setSystemTime(Date.now() + 30 * 60_000)
    await askOften()
    vi.setSystemTime(Date.now() + 31 * 60_000)
    await askForMail(app, email)
    expect((await readMails(dataDir, serverLimits.mailsPerHour + 1)).at(-1)).toContain(`To: ${email}`)
  })

  it('16.22 counts as an attempt to sign in', async () => {
    const email = makeEmail()
    const answers: Answer[] = []
    for (let count = 0; count <= otherRates.signIn.points; count += 1) {
      answers.push(await askForMail(app, email))
    }
    expect(codeOf(answers.at(-1)!)).toBe('rate_limited')
  })
})

/** Whether the link of a mail sets a password. */
const setsPassword = async (app: TestApp, mail: string | undefined) =>
  (await post(app, '/reset-password', { token: tokenIn(mail), newPassword })).status === 200

describe('links that were mailed before', () => {
  it('16.189 end with a change of the password', async () => {
    const app = await startApp()
    const { dataDir } = app
    const { email, cookie } = await signUp(app)
    await askForMail(app, email)
    const change = (currentPassword: string) =>
      post(app, '/change-password', { currentPassword, newPassword: 'my own word' }, cookie)
    expect((await change('wrong')).status).toBe(403)
    expect((await change(password)).status).toBe(200)
    expect(await setsPassword(app, (await readMails(dataDir, 1))[0])).toBe(false)
    await askForMail(app, email)
    expect(await setsPassword(app, (await readMails(dataDir, 2))[1])).toBe(true)
  })

  it('16.189 end with a change of the email, with and without a confirmation by mail', async () => {
    const { url, mails } = await startMailServer()
    const newEmail = makeEmail()
    const app = await startApp({ variables: { SMTP_URL: url } })
    const { email } = await signUp(app)
    await ask(linkIn(await mailTo(mails, email)))
    const cookie = cookiesOf(await post(app, '/sign-in/email', { email, password }))
    await askForMail(app, email)
    await vi.waitFor(() => expect(mails.at(-1)).toContain('Subject: Set a new password'))
    const mail = mails.at(-1)
    await post(app, '/change-email', { newEmail, password }, cookie)
    await ask(linkIn(await mailTo(mails, newEmail)), { headers: { cookie } })
    expect(await setsPassword(app, mail)).toBe(false)

    const unconfirmed = await startApp()
    const ann = await signUp(unconfirmed)
    await askForMail(unconfirmed, ann.email)
    await post(unconfirmed, '/change-email', { newEmail, password }, ann.cookie)
    expect(await setsPassword(unconfirmed, (await readMails(unconfirmed.dataDir, 1))[0])).toBe(false)
  })
})

describe('the password of the signed-in user', () => {
  it('16.23 changes with the current one, and ends the other sessions', async () => {
    const { email, cookie } = await signUp(app)
    const other = cookiesOf(await signIn(app, email, password))
    const here = await connect(app, { id: '', name: 'ann', cookie })
    const there = await connect(app, { id: '', name: 'ann', cookie: other })
    const change = (body: object) => post(app, '/change-password', body, cookie)
    expect(await change({ currentPassword: 'wrong', newPassword })).toMatchObject({
      status: 403,
      json: { error: { code: 'wrong_password' } },
    })
    expect((await change({ currentPassword: password, newPassword: '12345' })).json).toMatchObject({
      error: { message: 'Password must be at least 6 characters' },
    })
    expect(await readProfile(app, other)).toBe(200)

    expect((await change({ currentPassword: password, newPassword })).status).toBe(200)
    expect(await readProfile(app, cookie)).toBe(200)
    expect(await readProfile(app, other)).toBe(401)
    await vi.waitFor(() => expect(there.socket.connected).toBe(false))
    expect(here.socket.connected).toBe(true)
    expect((await signIn(app, email, newPassword)).status).toBe(200)
  })

  it('16.24 signing out everywhere else keeps this session', async () => {
    const { email, cookie } = await signUp(app)
    const other = cookiesOf(await signIn(app, email, password))
    expect((await post(app, '/revoke-other-sessions', {}, cookie)).status).toBe(200)
    expect(await readProfile(app, cookie)).toBe(200)
    expect(await readProfile(app, other)).toBe(401)
  })

  it('16.23, 16.24 needs a session', async () => {
    for (const path of ['/change-password', '/revoke-other-sessions']) {
      const answer = await post(app, path, { currentPassword: password, newPassword })
      expect(answer.status).toBe(401)
      expect(codeOf(answer)).toBe('unauthenticated')
    }
  })
})
