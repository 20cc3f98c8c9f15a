import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { shareApp, signUpOverHttp, type TestApp, type TestUser } from '../../../test/apps.ts'

/** Sends a path as it stands, which `fetch` would resolve. */
async function post(app: TestApp, user: TestUser, path: string, body: object): Promise<unknown> {
  const sent = request(app.address, {
    method: 'POST',
    path: `/api/auth${path}`,
    headers: { origin: app.address, cookie: user.cookie, 'content-type': 'application/json' },
  })
  sent.end(JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const { error } = JSON.parse(await text(answer)) as { error?: { code: string } }
  return { path, status: answer.statusCode, code: error?.code }
}

/** Which all lead to the same path for who resolves them. */
const spell = (path: string): string[] => [
  `/.${path}`,
  `/%2e${path}`,
  `/x/..${path}`,
  `/x/%2E%2e${path}`,
  `/x\\..${path}`,
  `/.\\${path.slice(1)}`,
]

describe('paths of sign-in that are to be resolved', () => {
  const app = shareApp()

  it('15.84 do not go around the password that a new email address takes', async () => {
    const ann = await signUpOverHttp(app, 'ann')
    for (const path of spell('/change-email')) {
      const answer = await post(app, ann, path, { newEmail: 'thief@example.org' })
      expect(answer).toEqual({ path, status: 404, code: 'not_found' })
    }
    const { profile } = await app.call<{ profile: { email: string } }>(ann, 'GET', '/api/profile')
    expect(profile.email).toMatch(/^ann@/)
  })

  it('15.84 do not go around the checks of a picture and of a name', async () => {
    const ben = await signUpOverHttp(app, 'ben')
    const drawing = `data:image/png;base64,${'A'.repeat(100_000)}`
    for (const path of [...spell('/update-user'), '/./sign-up/email']) {
      const body = { email: 'x@example.org', password: 'correct horse', name: 'x', image: drawing }
      expect(await post(app, ben, path, body)).toEqual({ path, status: 404, code: 'not_found' })
    }
  })
})
