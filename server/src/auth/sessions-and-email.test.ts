import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../../test/apps.ts'
import { type Answer, ask, codeOf, cookiesOf } from '../../test/ask.ts'
import { linkIn, mailTo, startMailServer } from '../../test/mail-server.ts'
import { insertSession } from '../../test/sign-in.ts'
import { connect } from '../../test/sockets.ts'

const password = 'correct horse'

function post(app: TestApp, path: string, body: unknown = {}, cookie = ''): Promise<Answer> {
  const headers = { origin: app.address, ...(cookie === '' ? {} : { cookie }) }
  return ask(`${app.address}/api/auth${path}`, { method: 'POST', headers, body })
}

const signIn = (app: TestApp, email: string) => post(app, '/sign-in/email', { email, password })

async function signUp(app: TestApp): Promise<{ email: string; cookie: string }> {
  const email = `ann@${randomUUID()}.example`
  return { email, cookie: cookiesOf(await post(app, '/sign-up/email', { email, password })) }
}

/** Signs up where mail is set up, and opens the link of the mail. */
async function signUpByMail(app: TestApp, mails: readonly string[]) {
  const { email, cookie } = await signUp(app)
  const confirmed = await ask(linkIn(await mailTo(mails, email)), { headers: { cookie } })
  return { email, cookie: cookiesOf(confirmed) }
}

it('16.28a a session is listed and ended from another, with its connection', async () => {
  const app = await startApp()
  const { email, cookie } = await signUp(app)
  const other = cookiesOf(await signIn(app, email))
  const { socket } = await connect(app, { id: '', name: 'ann', cookie: other })
  const ended = new Promise((resolve) => socket.once('disconnect', resolve))
  const list = await ask(`${app.address}/api/auth/list-sessions`, { headers: { cookie } })
  const sessions = list.json as { token: string }[]
  expect(sessions).toHaveLength(2)
  const token = sessions
    .map((session) => session.token)
    .find((each) => decodeURIComponent(other).includes(each))
  expect((await post(app, '/revoke-session', { token }, cookie)).status).toBe(200)
  expect(await ended).toBe('io server disconnect')
  expect((await ask(`${app.address}/api/profile`, { headers: { cookie: other } })).status).toBe(401)
  expect((await ask(`${app.address}/api/profile`, { headers: { cookie } })).status).toBe(200)
})

it('16.28b the email changes with the password only, and not to the address of another account', async () => {
  const app = await startApp()
  const [ann, bob] = [await signUp(app), await signUp(app)]
  const newEmail = `new@${randomUUID()}.example`
  const change = (body: object, cookie = ann.cookie) => post(app, '/change-email', body, cookie)
  expect(codeOf(await change({ newEmail, password }, ''))).toBe('unauthenticated')
  expect(codeOf(await change({ newEmail }))).toBe('invalid_input')
  expect(codeOf(await change({ newEmail, password: 'guess' }))).toBe('wrong_password')
  expect(codeOf(await change({ newEmail: bob.email, password }))).toBe('invalid_input')
  expect(codeOf(await change({ newEmail: 'nonsense', password }))).toBe('invalid_input')
  expect((await signIn(app, newEmail)).status).toBe(401)
  expect((await change({ newEmail, password })).status).toBe(200)
  expect((await signIn(app, newEmail)).status).toBe(200)
  expect((await signIn(app, ann.email)).status).toBe(401)
})

it('16.28b with mail, the email changes once the link sent to the new address is opened', async () => {
  const { url, mails } = await startMailServer()
  const app = await startApp({ variables: { SMTP_URL: url } })
  const { email, cookie } = await signUpByMail(app, mails)
  const newEmail = `new@${randomUUID()}.example`
  expect((await post(app, '/change-email', { newEmail, password }, cookie)).status).toBe(200)
  await vi.waitFor(() => expect(mails).toHaveLength(2))
  expect(mails[1]).toContain(`To: ${newEmail}`)
  expect(mails[1]).toContain('Confirm your new email address')
  expect((await signIn(app, newEmail)).status).toBe(401)
  expect((await signIn(app, email)).status).toBe(200)
  await ask(linkIn(mails[1]), { headers: { cookie } })
  expect((await signIn(app, newEmail)).status).toBe(200)
})

it('16.187 the link of a new address works in a session of its account only, and the old address hears of it', async () => {
  const { url, mails } = await startMailServer()
  const app = await startApp({ variables: { SMTP_URL: url } })
  const { email, cookie } = await signUpByMail(app, mails)
  const bob = await insertSession(app.db, app.secret, { name: 'bob' })
  const newEmail = `mistyped@${randomUUID()}.example`
  await post(app, '/change-email', { newEmail, password }, cookie)
  const link = linkIn(await mailTo(mails, newEmail))
  for (const other of ['', bob.cookie]) {
    const answer = await ask(link, { headers: { cookie: other } })
    expect(answer).toMatchObject({ status: 302 })
    expect(answer.headers.get('location')).toBe('/login?error=sign_in_first')
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect((await signIn(app, email)).status).toBe(200)

  expect((await ask(link, { headers: { cookie } })).headers.get('location')).toBe('/')
  expect((await ask(link, { headers: { cookie } })).headers.get('location')).toBe('/profile?changed=email')
  expect((await signIn(app, newEmail)).status).toBe(200)
  const notice = await vi.waitFor(() => {
    const found = mails.filter((mail) => mail.includes('Subject: Your email address was changed'))
    expect(found).toHaveLength(1)
    return found[0]
  })
  expect(notice).toContain(`To: ${email}`)
  expect(notice).not.toContain(newEmail)
})
