import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { signUpOverHttp, startApp, type TestApp } from '../../../test/apps.ts'
import { ask, cookiesOf } from '../../../test/ask.ts'

const password = 'correct horse'

function post(app: TestApp, path: string, body: object, cookie = '') {
  const headers = { origin: app.address, ...(cookie === '' ? {} : { cookie }) }
  return ask(`${app.address}/api/auth${path}`, { method: 'POST', headers, body })
}

it.each([
  ['http://127.0.0.1', ''],
  ['https://music.example.org', '; Secure'],
])(
  '16.121 a sign-in at %s leaves a cookie by which the device is known, a wrong password none',
  async (url, secure) => {
    const app = await startApp({ variables: url.startsWith('https') ? { PUBLIC_URL: url } : {} })
    const origin = url.startsWith('https') ? url : app.address
    const email = `ann@${randomUUID()}.example`
    const send = (path: string, body: object) =>
      ask(`${app.address}/api/auth${path}`, { method: 'POST', headers: { origin }, body })
    await send('/sign-up/email', { email, password })

    const signedIn = await send('/sign-in/email', { email, password })
    const device = signedIn.headers.getSetCookie().find((line) => line.startsWith('earshot.device='))
    expect(device).toMatch(new RegExp(`; Path=/api/auth; HttpOnly; SameSite=Lax${secure}$`))
    expect(cookiesOf(signedIn)).toContain('earshot.session_token=')
    const refused = await send('/sign-in/email', { email, password: 'wrong horse' })
    expect(refused).toMatchObject({ status: 401 })
    expect(refused.headers.getSetCookie().join()).not.toContain('earshot.device')
  },
)

it('16.122 an open session guesses a password 10 times a minute, whichever call it uses', async () => {
  const app = await startApp()
  const ann = await signUpOverHttp(app, 'ann')
  const guesses = [
    ['/change-password', { currentPassword: 'wrong horse', newPassword: 'another horse' }],
    ['/change-email', { newEmail: 'b@example.org', password: 'wrong horse' }],
    ['/verify-password', { password: 'wrong horse' }],
  ] as const
  for (let attempt = 0; attempt < 10; attempt++) {
    const [path, body] = guesses[attempt % guesses.length] ?? guesses[0]
    expect(await post(app, path, body, ann.cookie)).toMatchObject({ status: 403 })
  }
  for (const [path, body] of guesses) {
    expect(await post(app, path, body, ann.cookie)).toMatchObject({
      status: 429,
      json: { error: { code: 'rate_limited' } },
    })
  }
  await expect(app.call(ann, 'POST', '/api/account/delete', { password })).rejects.toMatchObject({
    code: 'rate_limited',
  })
})

it('16.123 a refusal of the sign-in library without a body has the documented shape', async () => {
  const app = await startApp()
  const answer = await ask(`${app.address}/api/auth/admin/list-users`, { headers: { origin: app.address } })
  expect(answer).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated' } } })
})
