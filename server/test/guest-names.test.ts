import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { type AppOptions, enterAsGuest, startApp, type TestApp } from './apps.ts'
import { type Answer, ask, codeOf, cookiesOf } from './ask.ts'
import { googleVariables, signInWithGoogle } from './google.ts'
import { linkIn, mailTo, startMailServer } from './mail-server.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'

/** The name of a guest who creates an account. */

const password = 'correct horse'
const makeEmail = () => `gustav@${randomUUID()}.example`

const post = (app: TestApp, path: string, body: object, cookie = ''): Promise<Answer> =>
  ask(`${app.address}/api/auth${path}`, { method: 'POST', headers: { origin: app.address, cookie }, body })

const readName = async (app: TestApp, cookie: string): Promise<string> => {
  const answer = await ask(`${app.address}/api/profile`, { headers: { cookie } })
  return (answer.json as { profile: { username: string } }).profile.username
}

const engines: [string, () => Promise<AppOptions>][] = [
  ['SQLite', async () => ({})],
  [
    'PostgreSQL',
    async () => ({ databaseUrl: await createPostgresDatabase(inject('postgresUrl'), migratedTemplate) }),
  ],
]

describe.each(engines)('a guest who signs up on %s', (_name, makeOptions) => {
  it('17.364 keeps the name where the account is confirmed by mail first', async () => {
    const { url, mails } = await startMailServer()
    const app = await startApp({ ...(await makeOptions()), variables: { SMTP_URL: url } })
    const { cookie } = await enterAsGuest(app, 'Gus')
    const email = makeEmail()
    const signedUp = cookiesOf(await post(app, '/sign-up/email', { email, password }, cookie))
    expect(signedUp).not.toContain('session_token')
    expect(await readName(app, cookie)).toBe('Gus')
    const headers = { cookie: `${cookie}; ${signedUp}` }
    const confirmed = await ask(linkIn(await mailTo(mails, email)), { headers })
    expect(await readName(app, cookiesOf(confirmed))).toBe('Gus')
    const session = await ask(`${app.address}/api/auth/get-session`, {
      headers: { cookie: cookiesOf(confirmed) },
    })
    expect(session.json).toMatchObject({ user: { name: 'Gus' } })
  })
})

describe('a guest who signs up', () => {
  it.each(['Gus', 'gus'])('17.363 may type the name that they have: %s', async (username) => {
    const { url, mails } = await startMailServer()
    const settings: Record<string, string>[] = [{}, { SMTP_URL: url }]
    for (const variables of settings) {
      const app = await startApp({ variables })
      const { cookie } = await enterAsGuest(app, 'Gus')
      const email = makeEmail()
      const body = { email, password, username }
      expect(codeOf(await post(app, '/sign-up/email', body))).toBe('name_taken')
      const other = await enterAsGuest(app, 'Other')
      expect(codeOf(await post(app, '/sign-up/email', body, other.cookie))).toBe('name_taken')
      const answer = await post(app, '/sign-up/email', body, cookie)
      expect(answer.status).toBe(200)
      const signedIn =
        'SMTP_URL' in variables
          ? await ask(linkIn(await mailTo(mails, email)), {
              headers: { cookie: `${cookie}; ${cookiesOf(answer)}` },
            })
          : answer
      expect(await readName(app, cookiesOf(signedIn))).toBe('Gus')
    }
  })

  it('17.364 keeps the name where the mail is opened on another device, unless a name was chosen there', async () => {
    const { url, mails } = await startMailServer()
    const app = await startApp({ variables: { SMTP_URL: url } })
    const signUp = async (name: string) => {
      const { cookie } = await enterAsGuest(app, name)
      const email = makeEmail()
      await post(app, '/sign-up/email', { email, password }, cookie)
      await ask(linkIn(await mailTo(mails, email)))
      const signIn = (device = cookie) => post(app, '/sign-in/email', { email, password }, device)
      return { elsewhere: cookiesOf(await signIn('')), signIn }
    }
    const gus = await signUp('Gus')
    expect(await readName(app, cookiesOf(await gus.signIn()))).toBe('Gus')

    const ann = await signUp('Ann')
    const headers = { origin: app.address, cookie: ann.elsewhere }
    const body = { username: 'Anna' }
    expect((await ask(`${app.address}/api/profile`, { method: 'PATCH', headers, body })).status).toBe(200)
    expect(await readName(app, cookiesOf(await ann.signIn()))).toBe('Anna')
  })

  it('17.364 keeps the name with Google, and no part of the email is shown', async () => {
    const app = await startApp({ variables: googleVariables })
    const { cookie } = await enterAsGuest(app, 'Gus')
    const user = { email: makeEmail(), name: 'Gustav Gans' }
    const answer = await signInWithGoogle(app, user, cookie)
    expect(answer.headers.get('location')).toBe('/')
    expect(await readName(app, cookiesOf(answer))).toBe('Gus')
    // A guest who signs in to the account later changes nothing.
    const later = await enterAsGuest(app, 'Somebody')
    expect(await readName(app, cookiesOf(await signInWithGoogle(app, user, later.cookie)))).toBe('Gus')
  })
})
