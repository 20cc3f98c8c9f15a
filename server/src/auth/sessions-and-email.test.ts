import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../../test/apps.ts'
import { type Answer, ask, codeOf, cookiesOf } from '../../test/ask.ts'
import { startMailServer } from '../../test/mail-server.ts'
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
  const { email } = await signUp(app)
  const linkIn = (mail: string) =>
    /http:\S+/.exec(
      mail
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16))),
    )?.[0] ?? ''
  await vi.waitFor(() => expect(mails).toHaveLength(1))
  const cookie = cookiesOf(await ask(linkIn(mails[0] ?? '')))
  const newEmail = `new@${randomUUID()}.example`
  expect((await post(app, '/change-email', { newEmail, password }, cookie)).status).toBe(200)
  await vi.waitFor(() => expect(mails).toHaveLength(2))
  expect(mails[1]).toContain(`To: ${newEmail}`)
  expect(mails[1]).toContain('Confirm your new email address')
  expect((await signIn(app, newEmail)).status).toBe(401)
  expect((await signIn(app, email)).status).toBe(200)
  await ask(linkIn(mails[1] ?? ''), { headers: { cookie } })
  expect((await signIn(app, newEmail)).status).toBe(200)
})
