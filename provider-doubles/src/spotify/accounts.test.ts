import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acceptsRedirectUri } from './redirect-uris.ts'
import { defaultApp, startSpotifyDouble, type SpotifyDouble } from './spotify-double.ts'
import type { TokenAnswer, TokenError } from './token-endpoint.ts'

const redirectUri = 'http://127.0.0.1:3000/callback'
const verifier = randomBytes(48).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const basic = `Basic ${Buffer.from(`${defaultApp.clientId}:${defaultApp.clientSecret}`).toString('base64')}`

let double: SpotifyDouble
beforeEach(async () => {
  double = await startSpotifyDouble()
})
afterEach(() => double.close())

function authorizeUrl(changes: Record<string, string | null> = {}): string {
  const url = new URL('/authorize', double.accountsUrl)
  const parameters = {
    client_id: defaultApp.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'streaming user-read-private',
    state: 'the-state',
    code_challenge_method: 'S256',
    code_challenge: challenge,
    ...changes,
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) url.searchParams.set(name, value)
  }
  return url.href
}

async function requestToken(form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${double.accountsUrl}/api/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  })
  return { status: response.status, body: (await response.json()) as TokenAnswer }
}

async function issueCode(): Promise<string> {
  const location = new URL(await double.control.consentTo(authorizeUrl()))
  return location.searchParams.get('code')!
}

const codeForm = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
})

/** Redeems a code. A client without a secret gets rotating refresh tokens. */
async function issueTokens(isPublic = false) {
  const form = { ...codeForm(await issueCode()), ...(isPublic ? { client_id: defaultApp.clientId } : {}) }
  const { body } = await requestToken(form, isPublic ? {} : { authorization: basic })
  if ('error' in body) throw new Error(body.error_description)
  return { ...body, refresh_token: body.refresh_token! }
}

const errorOf = (body: TokenAnswer): TokenError | null => ('error' in body ? body : null)

describe('the consent page', () => {
  it('returns a code and the state', async () => {
    const location = new URL(await double.control.consentTo(authorizeUrl()))
    expect(location.origin + location.pathname).toBe(redirectUri)
    expect(location.searchParams.get('code')).toMatch(/^AQ/)
    expect(location.searchParams.get('state')).toBe('the-state')
  })

  it('returns access_denied when the user cancels', async () => {
    const location = new URL(await double.control.consentTo(authorizeUrl(), { agrees: false }))
    expect(Object.fromEntries(location.searchParams)).toEqual({ error: 'access_denied', state: 'the-state' })
  })

  it.each([
    ['an unknown client', { client_id: 'somebody' }, 'Invalid client'],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:3000/other' }, 'Invalid redirect URI'],
    ['localhost', { redirect_uri: 'http://localhost:3000/callback' }, 'Insecure redirect URI'],
    ['http elsewhere', { redirect_uri: 'http://example.org/callback' }, 'Insecure redirect URI'],
    ['the implicit grant', { response_type: 'token' }, 'response_type must be code'],
    ['an unknown scope', { scope: 'everything' }, 'Invalid scope'],
    ['a plain challenge', { code_challenge_method: null }, 'code_challenge_method must be S256'],
    ['a malformed challenge', { code_challenge: 'short' }, 'code_challenge must be'],
  ])('shows an error page for %s and never redirects', async (_name, changes, problem) => {
    const response = await fetch(authorizeUrl(changes), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(problem)
  })

  it('asks a user who has consented only with show_dialog, and keeps the first consent', async () => {
    await issueCode()
    const headers = { cookie: 'other=1; spotify_double_user=premium-paula' }
    const silent = await fetch(authorizeUrl(), { redirect: 'manual', headers })
    expect(silent.status).toBe(302)
    const asked = await fetch(authorizeUrl({ show_dialog: 'true' }), { redirect: 'manual', headers })
    expect(asked.status).toBe(200)
    const wider = await fetch(authorizeUrl({ scope: 'user-top-read' }), { redirect: 'manual', headers })
    expect(wider.status).toBe(200)
  })

  it('escapes what the address contains', async () => {
    const html = await (await fetch(authorizeUrl({ state: '"><script>alert(1)</script>' }))).text()
    expect(html).not.toContain('<script>')
  })
})

describe('redirect addresses', () => {
  it.each([
    [['http://127.0.0.1/callback'], 'http://127.0.0.1:5173/callback', true],
    [['http://[::1]/callback'], 'http://[::1]:5173/callback', true],
    [['http://127.0.0.1:3000/callback'], 'http://127.0.0.1:3000/callback', true],
    [['http://127.0.0.1:3000/callback'], 'http://127.0.0.1:3001/callback', false],
    [['http://127.0.0.1/callback'], 'http://127.0.0.1:5173/callback/', false],
    [['http://127.0.0.1/callback'], 'http://127.0.0.1:5173/callback?next=1', false],
    [['https://ear.example/callback'], 'https://ear.example/callback', true],
    [['https://ear.example/callback'], 'https://ear.example:8443/callback', false],
    [['http://localhost:3000/callback'], 'http://localhost:3000/callback', false],
    [['http://ear.example/callback'], 'http://ear.example/callback', false],
    [['http://127.0.0.1/callback'], 'http://127.0.0.1@evil.example/callback', false],
  ])('registered %j, given %s: %s', (registered, given, expected) => {
    expect(acceptsRedirectUri(registered, given)).toBe(expected)
  })
})

describe('redeeming a code', () => {
  it('accepts Basic credentials, credentials in the body, and PKCE without a secret', async () => {
    const { clientId, clientSecret } = defaultApp
    const viaBasic = await requestToken(codeForm(await issueCode()), { authorization: basic })
    const form = { client_id: clientId, client_secret: clientSecret }
    const viaBody = await requestToken({ ...codeForm(await issueCode()), ...form })
    const viaPkce = await requestToken({ ...codeForm(await issueCode()), client_id: clientId })
    for (const { status, body } of [viaBasic, viaBody, viaPkce]) {
      expect(status).toBe(200)
      expect(body).toMatchObject({
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'streaming user-read-private',
      })
    }
  })

  it('works once', async () => {
    const form = codeForm(await issueCode())
    expect((await requestToken(form, { authorization: basic })).status).toBe(200)
    const second = await requestToken(form, { authorization: basic })
    expect([second.status, errorOf(second.body)?.error]).toEqual([400, 'invalid_grant'])
  })

  it.each([
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:3001/callback' }, 'Invalid redirect URI'],
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'code_verifier was incorrect'],
    ['a code that was never issued', { code: 'AQnever' }, 'Invalid authorization code'],
  ])('refuses %s', async (_name, changes, description) => {
    const answer = await requestToken(
      { ...codeForm(await issueCode()), ...changes },
      { authorization: basic },
    )
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: 'invalid_grant', error_description: description })
  })

  it('refuses a missing verifier, a wrong secret, an expired code and JSON', async () => {
    const { code_verifier: _left, ...withoutVerifier } = codeForm(await issueCode())
    const noVerifier = await requestToken(withoutVerifier, { authorization: basic })
    expect(errorOf(noVerifier.body)?.error_description).toBe('code_verifier was incorrect')
    const wrong = `Basic ${Buffer.from(`${defaultApp.clientId}:wrong`).toString('base64')}`
    const wrongSecret = await requestToken(codeForm(await issueCode()), { authorization: wrong })
    expect([wrongSecret.status, errorOf(wrongSecret.body)?.error]).toEqual([400, 'invalid_client'])
    const late = codeForm(await issueCode())
    double.control.advanceClock(601_000)
    expect(errorOf((await requestToken(late, { authorization: basic })).body)?.error).toBe('invalid_grant')
    const json = await fetch(`${double.accountsUrl}/api/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: basic },
      body: JSON.stringify(codeForm(await issueCode())),
    })
    expect(json.status).toBe(415)
  })

  it('refuses Basic credentials with 401 when told to, and accepts them in the body', async () => {
    double.control.accounts.refusesBasic = true
    const form = codeForm(await issueCode())
    const refused = await requestToken(form, { authorization: basic })
    expect([refused.status, errorOf(refused.body)?.error]).toEqual([401, 'invalid_client'])
    const { clientId, clientSecret } = defaultApp
    const accepted = await requestToken({ ...form, client_id: clientId, client_secret: clientSecret })
    expect(accepted.status).toBe(200)
  })
})

describe('refreshing', () => {
  const refresh = (refreshToken: string, isPublic = false) =>
    requestToken(
      {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        ...(isPublic ? { client_id: defaultApp.clientId } : {}),
      },
      isPublic ? {} : { authorization: basic },
    )

  it('keeps the refresh token of a client with a secret', async () => {
    const { refresh_token } = await issueTokens()
    const { body } = await refresh(refresh_token)
    expect(body).toMatchObject({ access_token: expect.stringMatching(/^BQ/) })
    expect(body).not.toHaveProperty('refresh_token')
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('replaces the refresh token of a client without a secret, and refuses the old one', async () => {
    const { refresh_token } = await issueTokens(true)
    const { body } = await refresh(refresh_token, true)
    if ('error' in body) throw new Error(body.error)
    expect(errorOf((await refresh(refresh_token, true)).body)?.error).toBe('invalid_grant')
    expect((await refresh(body.refresh_token!, true)).status).toBe(200)
  })

  it('replaces every refresh token when told to', async () => {
    double.control.accounts.rotation = 'always'
    const { refresh_token } = await issueTokens()
    expect((await refresh(refresh_token)).body).toHaveProperty('refresh_token')
    expect(errorOf((await refresh(refresh_token)).body)?.error).toBe('invalid_grant')
  })

  it('ends six months after the consent, however often it was refreshed', async () => {
    const { refresh_token } = await issueTokens()
    const days = 24 * 3_600_000
    double.control.advanceClock(175 * days)
    expect((await refresh(refresh_token)).status).toBe(200)
    double.control.advanceClock(10 * days)
    expect(errorOf((await refresh(refresh_token)).body)?.error).toBe('invalid_grant')
  })

  it('ends when the user withdraws the consent', async () => {
    const { refresh_token } = await issueTokens()
    double.control.revokeConsent('premium-paula')
    expect(errorOf((await refresh(refresh_token)).body)?.error).toBe('invalid_grant')
  })

  it('refuses unknown tokens and grant types', async () => {
    expect(errorOf((await refresh('AQnever')).body)?.error).toBe('invalid_grant')
    const other = await requestToken({ grant_type: 'password' }, { authorization: basic })
    expect(errorOf(other.body)?.error).toBe('unsupported_grant_type')
  })
})
