import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { enterAsGuest, startApp, type TestApp, type TestUser } from '../../test/apps.ts'
import { type Answer, ask, cookiesOf } from '../../test/ask.ts'
import { linkIn, mailTo, startMailServer } from '../../test/mail-server.ts'
import { insertSession } from '../../test/sign-in.ts'

const password = 'correct horse'

function post(app: TestApp, path: string, body: object, cookie = ''): Promise<Answer> {
  return ask(`${app.address}/api/auth${path}`, {
    method: 'POST',
    headers: { origin: app.address, cookie },
    body,
  })
}

const joinCookies = (...cookies: string[]): string => cookies.filter((each) => each !== '').join('; ')

async function startMailing() {
  const { url, mails } = await startMailServer()
  const app = await startApp({ variables: { SMTP_URL: url } })
  /** Signs up in a browser that has these cookies. `cookie` is what the browser has then. */
  const signUp = async (before = '', email = `mallory@${randomUUID()}.example`) => {
    const answer = await post(app, '/sign-up/email', { email, password }, before)
    const { id } = (answer.json as { user: { id: string } }).user
    const cookie = joinCookies(before, cookiesOf(answer))
    return { id, email, answer, cookie, link: linkIn(await mailTo(mails, email)) }
  }
  return { app, mails, signUp }
}

const open = (link: string, cookie = ''): Promise<Answer> => ask(link, { headers: { cookie } })

const sessionIn = (answer: Answer): boolean => cookiesOf(answer).includes('session_token=')

async function isConfirmed(app: TestApp, email: string): Promise<boolean> {
  const { rows } = await sql<{ verified: unknown }>`select "emailVerified" as "verified" from "user"
    where "email" = ${email}`.execute(app.db)
  return Boolean(rows[0]?.verified)
}

/** Makes a room that admits a guest. */
async function admit(app: TestApp, guest: TestUser): Promise<string> {
  const owner = await insertSession(app.db, app.secret, { name: 'olivia' })
  const { id } = await app.call<{ id: string }>(owner, 'POST', '/api/rooms', { name: 'Cellar' })
  const admission = { user_id: guest.id, room_id: id, granted_at: 1 }
  await app.db.insertInto('room_access').values(admission).execute()
  return id
}

async function listAdmitted(app: TestApp, roomId: string): Promise<string[]> {
  const query = app.db.selectFrom('room_access').select('user_id').where('room_id', '=', roomId)
  return (await query.execute()).map((row) => row.user_id)
}

describe('the link that confirms an account', () => {
  it('16.285, 16.309 confirms and signs nobody in on another device, nor over the session of another account', async () => {
    const { app, signUp } = await startMailing()
    const ann = await insertSession(app.db, app.secret, { name: 'ann' })
    const otherPage = '/login?confirmed=other'
    for (const [page, cookieOf] of [
      ['/login?confirmed=1', () => ''],
      [otherPage, () => ann.cookie],
      [otherPage, (own: string) => joinCookies(ann.cookie, own)],
    ] as const) {
      const mallory = await signUp()
      const answer = await open(mallory.link, cookieOf(mallory.cookie))
      expect(answer).toMatchObject({ status: 302 })
      expect(answer.headers.get('location')).toBe(page)
      expect(sessionIn(answer)).toBe(false)
      expect(await isConfirmed(app, mallory.email)).toBe(true)
      expect(sessionIn(await post(app, '/sign-in/email', { email: mallory.email, password }))).toBe(true)
    }
  })

  it('16.285 makes no guest part of the account of a stranger, whichever page it leads to', async () => {
    const { app, signUp } = await startMailing()
    const gus = await enterAsGuest(app, 'Gus')
    const roomId = await admit(app, gus)
    const mallory = await signUp()
    const link = new URL(mallory.link)
    link.searchParams.set('callbackURL', `/room/${roomId}`)
    expect(sessionIn(await open(link.href, gus.cookie))).toBe(false)

    // Nor of an account that another guest made in the same browser.
    const ann = await enterAsGuest(app, 'Ann')
    const other = await admit(app, ann)
    const account = await signUp(ann.cookie)
    const device = account.cookie.replace(`${ann.cookie}; `, '')
    expect(sessionIn(await open(account.link, joinCookies(gus.cookie, device)))).toBe(false)
    expect(await listAdmitted(app, roomId)).toEqual([gus.id])
    expect(await app.call(gus, 'GET', '/api/profile')).toMatchObject({ profile: { username: 'Gus' } })

    const body = { email: account.email, password }
    expect(sessionIn(await post(app, '/sign-in/email', body, ann.cookie))).toBe(true)
    expect(await listAdmitted(app, other)).toEqual([account.id])
  })

  it('16.285 signs in where the account was made, and a guest there keeps what they were', async () => {
    const { app, signUp } = await startMailing()
    const made = await signUp()
    expect(sessionIn(await open(made.link, made.cookie))).toBe(true)

    const gus = await enterAsGuest(app, 'Gus')
    const room = await admit(app, gus)
    const early = await signUp(gus.cookie)
    expect(sessionIn(await open(early.link, early.cookie))).toBe(true)
    expect(await listAdmitted(app, room)).toEqual([early.id])

    // The guest came after the account was made.
    const late = await signUp()
    const guest = await enterAsGuest(app, 'Lee')
    const another = await admit(app, guest)
    expect(sessionIn(await open(late.link, joinCookies(guest.cookie, late.cookie)))).toBe(true)
    expect(await listAdmitted(app, another)).toEqual([late.id])
  })

  it('16.285 signs in where the password was stated before, not where it was guessed', async () => {
    const { app, mails, signUp } = await startMailing()
    const { email } = await signUp()
    const wrong = await post(app, '/sign-in/email', { email, password: 'a wrong guess' })
    expect(cookiesOf(wrong)).toBe('')
    const refused = await post(app, '/sign-in/email', { email: email.toUpperCase(), password })
    expect(refused.status).toBe(403)
    const answer = await open(linkIn(await mailTo(mails, email)), cookiesOf(refused))
    expect(sessionIn(answer)).toBe(true)
  })

  it('16.285 signs in nobody who signed up with the address of an account, and its answer tells nothing', async () => {
    const { app, signUp } = await startMailing()
    const first = await signUp()
    const again = await signUp('', first.email)
    const shape = ({ headers }: Answer) =>
      headers.getSetCookie().map((line) => line.replace(/=[^;]{20,}/, '=value'))
    expect(shape(again.answer)).toEqual(shape(first.answer))
    const [line] = first.answer.headers.getSetCookie()
    expect(line).toMatch(/Max-Age=86400; Path=\/api\/auth; HttpOnly; SameSite=Lax$/)
    expect(sessionIn(await open(first.link, again.cookie))).toBe(false)
    expect(await isConfirmed(app, first.email)).toBe(true)
  })

  it('16.285 signs in who signed up twice', async () => {
    const { signUp } = await startMailing()
    const { email, link, cookie } = await signUp()
    const again = await signUp(cookie, email)
    expect(sessionIn(await open(link, again.cookie))).toBe(true)
  })
})
