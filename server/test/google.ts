import { vi } from 'vitest'
import type { TestApp } from './apps.ts'
import { type Answer, ask, cookiesOf } from './ask.ts'

/** The settings with which a test server offers sign-in with Google. */
export const googleVariables = { GOOGLE_CLIENT_ID: 'our-client', GOOGLE_CLIENT_SECRET: 'our-secret' }

/**
 * Signs in with Google as a browser does that has these cookies. Google's part is answered here: who it says the user is.
 * Resolves to the server's answer to the return from Google.
 */
export async function signInWithGoogle(
  app: TestApp,
  user: { email: string; name: string },
  cookie = '',
): Promise<Answer> {
  const started = await ask(`${app.address}/api/auth/sign-in/social`, {
    method: 'POST',
    headers: { origin: app.address, cookie },
    body: { provider: 'google', callbackURL: '/', errorCallbackURL: '/login' },
  })
  const { url } = started.json as { url: string }
  const state = new URL(url).searchParams.get('state') ?? ''
  const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { sub: user.email, email_verified: true, ...user }
  const idToken = `${toPart({ alg: 'none' })}.${toPart(claims)}.`
  const { fetch } = globalThis
  const answering = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const asked = input instanceof Request ? input.url : input.toString()
    if (asked !== 'https://oauth2.googleapis.com/token') return fetch(input, init)
    return Response.json({ access_token: 'access', token_type: 'Bearer', id_token: idToken })
  })
  try {
    return await ask(`${app.address}/api/auth/callback/google?code=code&state=${state}`, {
      headers: { cookie: [cookie, cookiesOf(started)].filter((each) => each !== '').join('; ') },
    })
  } finally {
    answering.mockRestore()
  }
}
