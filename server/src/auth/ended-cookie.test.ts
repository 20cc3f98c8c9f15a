import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { enterAsGuest, shareApp, signUpOverHttp, type TestApp } from '../../test/apps.ts'
import { type Answer, ask, cookiesOf } from '../../test/ask.ts'
import { googleVariables, signInWithGoogle } from '../../test/google.ts'
import { addSession, sessionCookie } from '../../test/sign-in.ts'
import { serverLimits } from '../server-limits.ts'

const password = 'correct horse'
const newEmail = () => `ann@${randomUUID()}.example`

const post = (app: TestApp, path: string, body: object, cookie: string): Promise<Answer> =>
  ask(`${app.address}/api/auth${path}`, { method: 'POST', headers: { origin: app.address, cookie }, body })

/** Returns the Cookie header of a browser that sent the one given and has the answer: the last line of a name counts. */
function keepCookies(cookie: string, { headers }: Answer): string {
  const pairs = [...cookie.split('; '), ...headers.getSetCookie().map((line) => line.split(';')[0]!)]
  const jar = new Map(pairs.map((pair): [string, string] => [pair.split('=')[0]!, pair]))
  return [...jar.values()].join('; ')
}

async function nameOf(app: TestApp, cookie: string): Promise<unknown> {
  const { json } = await ask(`${app.address}/api/profile`, { headers: { cookie } })
  return (json as { profile?: { username: string } }).profile?.username ?? null
}

async function expireSessions(app: TestApp, userId: string): Promise<void> {
  const past = new Date(Date.now() - 60_000).toISOString()
  await sql`update "session" set "expiresAt" = ${past} where "userId" = ${userId}`.execute(app.db)
}

describe('with the cookie of a session that has ended', () => {
  const app = shareApp({ variables: { SIGN_UPS_PER_HOUR: '1000', ...googleVariables } })
  const deleted = async () => sessionCookie(randomUUID(), app.secret)
  const expired = async () => {
    const user = await signUpOverHttp(app, 'old')
    await expireSessions(app, user.id)
    return user.cookie
  }
  const expiredGuest = async () => {
    const guest = await enterAsGuest(app, 'Old Guest')
    await expireSessions(app, guest.id)
    return guest.cookie
  }
  const twoEnded = async () => `${await deleted()}; ${await expired()}`

  describe.each([
    ['deleted', deleted],
    ['expired', expired],
    ["expired, a guest's", expiredGuest],
    ['two', twoEnded],
  ])('(%s)', (_name, makeCookie) => {
    it.each([
      ['sign-in', '/sign-in/email', 'ann'],
      ['sign-up', '/sign-up/email', 'ann'],
      ['guest', '/sign-in/anonymous', 'Gus'],
    ])('16.304 a new session works: %s', async (kind, path, name) => {
      const credentials = { email: newEmail(), password }
      if (kind === 'sign-in') await post(app, '/sign-up/email', credentials, '')
      const cookie = await makeCookie()
      const answer = await post(app, path, name === 'Gus' ? { name } : credentials, cookie)
      expect(answer.status).toBe(200)
      expect(await nameOf(app, keepCookies(cookie, answer))).toBe(name)
      expect(answer.headers.getSetCookie().filter((line) => line.includes('session_token='))).toHaveLength(1)
    })

    it('16.304 a new session works: Google', async () => {
      const cookie = await makeCookie()
      const answer = await signInWithGoogle(app, { email: newEmail(), name: 'Ann' }, cookie)
      expect(await nameOf(app, keepCookies(cookie, answer))).toBe('ann')
    })
  })

  it('16.304 a sign-in that ends its own session, as one too many, leaves the new one', async () => {
    const email = newEmail()
    const signedUp = await post(app, '/sign-up/email', { email, password }, '')
    const { user } = signedUp.json as { user: { id: string } }
    for (let n = 1; n < serverLimits.sessionsPerUser; n += 1) await addSession(app.db, app.secret, user.id)
    const cookie = cookiesOf(signedUp)
    const answer = await post(app, '/sign-in/email', { email, password }, cookie)
    expect(await nameOf(app, cookie)).toBeNull()
    expect(await nameOf(app, keepCookies(cookie, answer))).toBe('ann')
  })

  it('16.304 reading the session clears the cookie', async () => {
    const cookie = await deleted()
    const answer = await ask(`${app.address}/api/auth/get-session`, { headers: { cookie } })
    expect(answer.headers.getSetCookie()[0]).toContain('earshot.session_token=; Max-Age=0')
  })
})
