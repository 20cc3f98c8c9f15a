import { randomUUID } from 'node:crypto'
import type { AppError } from '@earshot/core/protocol/errors'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it } from 'vitest'
import { shareApp, startApp, signUp, type AppOptions, type TestApp } from '../../test/apps.ts'
import { type Answer, ask, codeOf, cookiesOf } from '../../test/ask.ts'
import { describeDatabases } from '../../test/databases.ts'
import { captureLog } from '../../test/log.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { findProfile } from '../db/profiles.ts'
import { writeAdmin } from '../db/users.ts'
import {
  createServerInvite,
  isServerInvite,
  listServerInvites,
  revokeServerInvite,
  takeServerInvite,
} from '../db/server-invites.ts'
import { otherRates } from '../limits/rates.ts'

const password = 'correct horse'
const google = { GOOGLE_CLIENT_ID: 'our-client', GOOGLE_CLIENT_SECRET: 'our-secret' }

function post(app: TestApp, path: string, body: unknown, from?: string): Promise<Answer> {
  const headers = { origin: app.address, ...(from === undefined ? {} : { 'x-forwarded-for': from }) }
  return ask(`${app.address}/api/auth${path}`, { method: 'POST', headers, body })
}

const signUpAs = (app: TestApp, extra: object = {}, from?: string): Promise<Answer> =>
  post(app, '/sign-up/email', { email: `new@${randomUUID()}.example`, password, ...extra }, from)

const startWith = (variables: Record<string, string>, options: AppOptions = {}): Promise<TestApp> =>
  startApp({ ...options, variables })

async function makeInvite(
  app: TestApp,
  body: object = {},
): Promise<{ token: string; link: string; id: string }> {
  const admin = await signUp(app, `admin-${randomUUID().slice(0, 8)}`)
  await writeAdmin(app.db, admin.id, true)
  const made = await app.call<{ token: string; link: string; invite: { id: string } }>(
    admin,
    'POST',
    '/api/admin/invites',
    body,
  )
  return { token: made.token, link: made.link, id: made.invite.id }
}

describe('who may sign up', () => {
  it('16.30 closed: nobody, in no spelling of the path, and the page is told', async () => {
    const app = await startWith({ SIGN_UP: 'closed' })
    expect(codeOf(await signUpAs(app))).toBe('sign_up_closed')
    const slashed = await post(app, '/sign-up/email/', { email: 'x@example.org', password, name: 'x' })
    expect(slashed.status).not.toBe(200)
    expect(await app.call(null, 'GET', '/api/config')).toMatchObject({ signUp: 'closed' })
    const { rows } = await countUsers(app)
    expect(rows).toBe(0)
  })

  it('16.30 invite: only with an invite, which admits as often as it has uses', async () => {
    const app = await startWith({ SIGN_UP: 'invite' })
    expect(codeOf(await signUpAs(app))).toBe('invite_required')
    expect(codeOf(await signUpAs(app, { invite: 'made-up' }))).toBe('invite_required')
    const { token, link } = await makeInvite(app, { uses: 2 })
    expect(link).toBe(`${app.address}/login#invite=${token}`)
    const answers = await Promise.all([1, 2, 3, 4].map(() => signUpAs(app, { invite: token })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 403, 403])
    expect(codeOf(await signUpAs(app, { invite: token }))).toBe('invite_required')
  })

  it('16.30 a refusal looks the same for a known address, also where mails are sent', async () => {
    const { url } = await startMailServer()
    const open = await startWith({ SMTP_URL: url, SIGN_UP: 'invite' })
    const { token } = await makeInvite(open)
    const email = 'ann@example.org'
    expect((await signUpAs(open, { email, invite: token })).status).toBe(200)
    expect(codeOf(await signUpAs(open, { email }))).toBe('invite_required')
    expect(codeOf(await signUpAs(open, { email: 'bob@example.org' }))).toBe('invite_required')
  })

  it('16.30 Google: an invite travels in a cookie that no script reads, and the account is refused without it', async () => {
    const app = await startWith({ SIGN_UP: 'invite', ...google })
    const { token } = await makeInvite(app)
    const start = { provider: 'google', callbackURL: '/' }
    const answer = await post(app, '/sign-in/social', { ...start, invite: token })
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('earshot.invite='))
    expect(cookie).toContain(token)
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
    expect(answer.text).not.toContain(token)
    const bad = await post(app, '/sign-in/social', { ...start, invite: 'a; Path=/' })
    expect(codeOf(bad)).toBe('invalid_input')
    const without = await post(app, '/sign-in/social', start)
    expect(cookiesOf(without)).not.toContain('earshot.invite')
  })

  it('16.31 one address makes only so many accounts an hour; another is not affected', async () => {
    const app = await startWith({ SIGN_UPS_PER_HOUR: '2', TRUST_PROXY: 'loopback' })
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) statuses.push((await signUpAs(app, {}, '192.0.2.1')).status)
    expect(statuses).toEqual([200, 200, 429, 429])
    const refused = await signUpAs(app, {}, '192.0.2.1')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await signUpAs(app, {}, '192.0.2.2')).status).toBe(200)
  })

  it('16.31 what is refused before an account exists does not count', async () => {
    const app = await startWith({ SIGN_UPS_PER_HOUR: '1' })
    expect(codeOf(await signUpAs(app, { password: 'short' }))).toBe('invalid_input')
    expect((await signUpAs(app)).status).toBe(200)
  })

  it('16.32 is logged with address and without the token or the email', async () => {
    const { logger, lines } = captureLog()
    const app = await startWith({ SIGN_UP: 'invite' }, { logger })
    const { token } = await makeInvite(app)
    const email = 'secret.person@example.org'
    await signUpAs(app, { invite: 'guessed-token' })
    await signUpAs(app, { email, invite: token })
    await post(app, '/sign-in/email', { email, password: 'wrong password' })
    const security = lines.filter((line) => line['security'] !== undefined)
    expect(security.map((line) => line['security'])).toEqual([
      'admin_action',
      'sign_up_refused',
      'account_created',
      'sign_in_failed',
    ])
    for (const line of security) expect(line['address']).toBe('127.0.0.1')
    expect(JSON.stringify(security)).not.toMatch(
      new RegExp(`${token}|guessed-token|secret.person|${password}`),
    )
  })

  it('16.33 a guesser of invites is stopped; who has a good one is not', async () => {
    const app = await startWith({ TRUST_PROXY: 'loopback' })
    const { token } = await makeInvite(app)
    const check = async (guess: string, from: string) =>
      ask(`${app.address}/api/invites/check`, {
        method: 'POST',
        headers: { origin: app.address, 'x-forwarded-for': from },
        body: { token: guess },
      })
    for (let count = 0; count < otherRates.invites.points; count += 1) {
      expect((await check(`guess-${count}`, '192.0.2.1')).json).toEqual({ isValid: false })
    }
    expect(codeOf(await check('one-more', '192.0.2.1'))).toBe('rate_limited')
    for (let count = 0; count < otherRates.invites.points + 5; count += 1) {
      expect((await check(token, '192.0.2.2')).json).toEqual({ isValid: true })
    }
  })
})

async function countUsers(app: TestApp): Promise<{ rows: number }> {
  const { count } = await app.db
    .selectFrom('profiles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows: Number(count) }
}

describe('user names', () => {
  const shared = shareApp()
  it('16.34 a chosen name that is taken, or looks like one, is refused; a name made of the address gets a number', async () => {
    const app = await startApp()
    expect((await signUpAs(app, { username: 'Alice' })).status).toBe(200)
    for (const username of ['alice', 'ALICE', 'aIice', 'Аlice', 'Ａlice', 'Al\u200Bice', 'Alice\u202E']) {
      expect(codeOf(await signUpAs(app, { username }))).toBe('name_taken')
    }
    const answer = await signUpAs(app, { email: 'alice@example.org' })
    const { user } = answer.json as { user: { id: string } }
    expect(await findProfile(app.db, user.id)).toMatchObject({ username: 'alice 2' })
  })

  it.each([
    ['aӏbert', false],
    ['Sашa', false],
    ['Νina', false],
    ['Ꭺlbert', false],
    ['ann Аnn ben', false],
    ['DJ Вова', true],
    ['王小明Tom', true],
    ['日本ひらカナ', true],
    ['Nguyễn Łukasz', true],
    ['μ2 x²', true],
    ['Νίνα', true],
    ['علي', true],
  ])('15.76 no word of a name mixes alphabets: %s (%s)', async (name, isAllowed) => {
    const ann = await signUp(shared, 'somebody')
    const renaming = shared.call(ann, 'PATCH', '/api/profile', { username: name }).then(
      () => true,
      (error: AppError) => error.code !== 'invalid_input',
    )
    expect(await renaming).toBe(isAllowed)
    const answer = await post(shared, '/sign-in/anonymous', { name })
    expect(answer.status).toBe(isAllowed ? 200 : 400)
  })

  it('15.76 a sign-up with such a name is refused, in odd spellings of the path too', async () => {
    const app = await startApp()
    const refused = await signUpAs(app, { username: 'aӏbert' })
    expect(refused.json).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringMatching(/one alphabet/) },
    })
    const around = { email: 'x@example.org', password, name: 'x', username: 'aӏbert' }
    await post(app, '/sign-up/email/', around)
    const profiles = await app.db.selectFrom('profiles').select('username').execute()
    expect(profiles.map(({ username }) => username)).not.toContain('aӏbert')
  })

  it('16.34 a user keeps the own name in another spelling, and cannot take that of another', async () => {
    const app = await startApp()
    const [ann] = await Promise.all([signUp(app, 'ann'), signUp(app, 'bob')])
    const rename = (username: string) => app.call(ann, 'PATCH', '/api/profile', { username })
    expect(await rename('Ann')).toMatchObject({ profile: { username: 'Ann' } })
    await expect(rename('BOB')).rejects.toMatchObject({ code: 'name_taken' })
    expect(await rename('a\u202Enn')).toMatchObject({ profile: { username: 'ann' } })
  })
})

describe('reserved names', () => {
  it("16.129 are refused to whoever signs up, enters as a guest or renames themselves, and are the administrators'", async () => {
    const app = await startApp()
    expect(codeOf(await signUpAs(app, { username: 'Admin' }))).toBe('name_taken')
    expect(codeOf(await post(app, '/sign-in/anonymous', { name: 'Support' }))).toBe('name_taken')
    const ann = await signUp(app, 'ann')
    const rename = (username: string) => app.call(ann, 'PATCH', '/api/profile', { username })
    await expect(rename('Аdmin 2')).rejects.toMatchObject({ code: 'name_taken' })
    await writeAdmin(app.db, ann.id, true)
    expect(await rename('Admin')).toMatchObject({ profile: { username: 'Admin' } })
    await writeAdmin(app.db, ann.id, false)
    expect(await rename('ADMIN')).toMatchObject({ profile: { username: 'ADMIN' } })
    await expect(rename('System')).rejects.toMatchObject({ code: 'name_taken' })
  })

  it('16.129 are not made of email addresses, in no spelling of the path', async () => {
    const app = await startApp()
    const nameOf = async (answer: Answer) => {
      const { user } = answer.json as { user: { id: string } }
      return (await findProfile(app.db, user.id))?.username
    }
    expect(await nameOf(await signUpAs(app, { email: 'admin@example.org' }))).toBe('listener')
    expect(await nameOf(await signUpAs(app, { email: 'system@example.org' }))).toBe('listener 2')
    const around = { email: 'x@example.org', password, name: 'x', username: 'Admin' }
    const slashed = await post(app, '/sign-up/email/', around)
    const profiles = await app.db.selectFrom('profiles').select('username').execute()
    expect(slashed.status === 200).toBe(profiles.length === 3)
    expect(profiles.map(({ username }) => username)).not.toContain('Admin')
  })
})

describeDatabases('invites to the server', (open) => {
  const day = 24 * 3_600_000
  const options = { note: 'for bob', days: 2, uses: 1, givesLibraryAccess: false }

  it('16.33 expire, are used up, are revoked, and are stored as hashes', async () => {
    const parts = { db: await open(), clock: createFakeClock() }
    const { invite, token } = await createServerInvite(parts, options)
    expect(JSON.stringify(await parts.db.selectFrom('server_invites').selectAll().execute())).not.toContain(
      token,
    )
    expect(await listServerInvites(parts)).toEqual([{ ...invite, note: 'for bob', uses: 0, maxUses: 1 }])
    expect(await takeServerInvite(parts, token)).toEqual({ givesLibraryAccess: false })
    expect(await takeServerInvite(parts, token)).toBeNull()
    expect(await isServerInvite(parts, token)).toBe(false)

    const later = await createServerInvite(parts, options)
    expect(await isServerInvite(parts, later.token)).toBe(true)
    parts.clock.advance(2 * day + 1)
    expect(await isServerInvite(parts, later.token)).toBe(false)
    expect(await takeServerInvite(parts, later.token)).toBeNull()

    const revoked = await createServerInvite(parts, options)
    await revokeServerInvite(parts, revoked.invite.id)
    expect(await isServerInvite(parts, revoked.token)).toBe(false)
    await expect(revokeServerInvite(parts, revoked.invite.id)).rejects.toMatchObject({ code: 'not_found' })
  })
})
