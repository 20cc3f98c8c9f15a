import { expect, it, onTestFinished, vi } from 'vitest'
import { enterAsGuest, shareApp, signUp, signUpOverHttp } from './apps.ts'
import { ask, codeOf } from './ask.ts'
import { serverLimits } from '../src/server-limits.ts'

/** Input that takes little to send, and would occupy the server for seconds. */

const app = shareApp()

it('15.94 no text is composed before its length is checked: of thousands of marks that takes seconds', async () => {
  const users = { account: await signUpOverHttp(app, 'ann'), guest: await enterAsGuest(app, 'ben') }
  const marks = `a${'\u0301\u0323'.repeat(1_000)}`
  const normalize = vi.spyOn(String.prototype, 'normalize')
  onTestFinished(() => normalize.mockRestore())
  const email = 'ann@example.org'
  const calls: [user: keyof typeof users | null, method: string, path: string, body: object][] = [
    [null, 'POST', '/auth/sign-in/email', { email, password: marks }],
    [null, 'POST', '/auth/sign-up/email', { email, password: marks }],
    [null, 'POST', '/auth/sign-up/email', { email, password: 'correct horse', username: marks }],
    [null, 'POST', '/auth/sign-up/email', { email, password: 'correct horse', name: marks }],
    [null, 'POST', '/auth/sign-in/anonymous', { name: marks }],
    [null, 'POST', '/auth/reset-password', { token: 'x', newPassword: marks }],
    ['account', 'POST', '/auth/change-password', { currentPassword: marks, newPassword: 'correct horse' }],
    ['account', 'POST', '/auth/change-email', { newEmail: email, password: marks }],
    ['account', 'POST', '/auth/update-user', { name: marks }],
    ['account', 'PATCH', '/profile', { username: marks }],
    ['guest', 'PATCH', '/profile', { username: marks }],
    ['account', 'POST', '/rooms', { name: marks }],
    ['account', 'POST', '/rooms', { name: 'Room', isPublic: false, password: marks }],
    ['account', 'DELETE', '/account', { password: marks }],
  ]
  for (const [user, method, path, body] of calls) {
    const headers = { origin: app.address, cookie: user ? users[user].cookie : '' }
    const { status } = await ask(`${app.address}/api${path}`, { method, headers, body })
    expect({ path, body: Object.keys(body), status }).toMatchObject({ status: expect.any(Number) })
    expect(status).toBeGreaterThanOrEqual(400)
  }
  const longest = Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length))
  expect(longest).toBeLessThan(500)
})

it('15.93 a body of more than 1,000 values is refused before it is parsed', async () => {
  expect(serverLimits.httpBodyMaxValues).toBe(1_000)
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const refusal = 'The body has too many values'
  const { cookie } = await signUp(app, 'ann')
  const send = async (values: number) => {
    const body = { name: '', more: Array.from({ length: values }, () => 1) }
    const headers = { origin: app.address, cookie }
    const answer = await ask(`${app.address}/api/rooms`, { method: 'POST', headers, body })
    return {
      code: codeOf(answer),
      isTooMuch: answer.text.includes(refusal),
      isParsed: parse.mock.calls.some(([text]) => text === JSON.stringify(body)),
    }
  }
  expect(await send(900)).toEqual({ code: 'invalid_input', isTooMuch: false, isParsed: true })
  expect(await send(1_000)).toEqual({ code: 'invalid_input', isTooMuch: true, isParsed: false })
})
