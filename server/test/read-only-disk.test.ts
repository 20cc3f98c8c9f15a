import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signUpOverHttp, startApp } from './apps.ts'
import { ask } from './ask.ts'

const password = 'correct horse'

it('16.43 while the disk is read-only, all that would write is unavailable, signing in and out too', async () => {
  const app = await startApp()
  const ann = await signUpOverHttp(app, 'ann')
  const { rows } = await sql<{
    email: string
    token: string
  }>`select "email", "token" from "user", "session"`.execute(app.db)
  const [account] = rows
  const email = account?.email ?? ''
  const auth = async (path: string, body: object = {}, cookie = ann.cookie) => {
    const headers = { origin: app.address, cookie }
    const { status, json } = await ask(`${app.address}/api/auth${path}`, { method: 'POST', headers, body })
    return [path, status, (json as { error?: { code: string } } | null)?.error?.code]
  }
  const calls = async () => [
    await auth('/sign-in/email', { email, password }),
    await auth('/sign-up/email', { email: 'ben@example.org', password }),
    await auth('/sign-in/anonymous', { name: 'Gus' }, ''),
    await auth('/change-password', { currentPassword: password, newPassword: 'battery staple' }),
    await auth('/change-email', { newEmail: 'new@example.org', password }),
    await auth('/update-user', { name: 'Anna' }),
    await auth('/request-password-reset', { email }),
    await auth('/revoke-session', { token: account?.token }),
    await auth('/sign-out'),
  ]
  await sql`pragma query_only = 1`.execute(app.db)
  const refused = await calls()
  expect(refused).toEqual(refused.map(([path]) => [path, 503, 'unavailable']))
  const creation = app.call(ann, 'POST', '/api/rooms', { name: 'Room' })
  await expect(creation).rejects.toMatchObject({ code: 'unavailable' })
  expect(await app.call(ann, 'GET', '/api/rooms')).toMatchObject({ rooms: [] })
  const readiness = await ask(`${app.address}/readyz`)
  expect([readiness.status, readiness.json]).toMatchObject([503, { checks: { writable: false } }])

  await sql`pragma query_only = 0`.execute(app.db)
  expect(await auth('/sign-out', {}, (await signUpOverHttp(app, 'cem')).cookie)).toEqual([
    '/sign-out',
    200,
    undefined,
  ])
  expect(await app.call(ann, 'POST', '/api/rooms', { name: 'Room' })).toMatchObject({
    id: expect.any(String),
  })
})
