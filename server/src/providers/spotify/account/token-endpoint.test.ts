import { garbage, serverError } from '@earshot/provider-doubles/faults'
import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { missingToken } from '@earshot/provider-doubles/spotify/spotify-faults'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../clock/server-clock.ts'
import { startDouble } from '../testing/spotify-app.ts'
import { createTokenEndpoint, type SpotifyCredentials, type TokenEndpoint } from './token-endpoint.ts'

const grant = { code: 'code', verifier: 'v'.repeat(43), redirectUri: 'http://127.0.0.1:3000/callback' }

const endpointOf = (double: SpotifyDouble, credentials: SpotifyCredentials = double.app): TokenEndpoint =>
  createTokenEndpoint({ accountsUrl: double.accountsUrl, credentials, clock: systemClock })

/** A double whose token endpoint gives this answer, whatever it is asked. */
async function answering(fault: Parameters<SpotifyDouble['control']['fail']>[1]): Promise<TokenEndpoint> {
  const double = await startDouble()
  double.control.fail('POST /api/token', fault)
  return endpointOf(double)
}

describe('the token endpoint', () => {
  it('7.11 gets id and secret in the body after it answered Basic credentials with 401', async () => {
    const double = await startDouble()
    double.control.accounts.refusesBasic = true
    const refused = endpointOf(double).exchange(grant)
    await expect(refused).rejects.toThrow('Invalid authorization code')
    const [first, second, ...rest] = double.calls
    expect(rest).toEqual([])
    expect(first?.headers['authorization']).toMatch(/^Basic /)
    expect(first?.body).not.toContain('client_secret')
    expect(second?.headers['authorization']).toBeUndefined()
    const { clientId, clientSecret } = double.app
    expect(Object.fromEntries(new URLSearchParams(second?.body))).toEqual({
      grant_type: 'authorization_code',
      code: grant.code,
      redirect_uri: grant.redirectUri,
      code_verifier: grant.verifier,
      client_id: clientId,
      client_secret: clientSecret,
    })
  })

  it('7.11 gets Basic credentials as they are, without escapes', async () => {
    const double = await startDouble()
    const credentials = { clientId: 'my-app_1.0', clientSecret: 'p+q/r=~!' }
    await expect(endpointOf(double, credentials).exchange(grant)).rejects.toThrow('Invalid client')
    const basic = Buffer.from('my-app_1.0:p+q/r=~!').toString('base64')
    expect(double.calls[0]?.headers['authorization']).toBe(`Basic ${basic}`)
  })

  it.each([
    [
      'the description',
      { status: 400, body: { error: 'invalid_grant', error_description: 'Code expired' } },
      'Code expired',
    ],
    ['the status without one', { status: 403, body: { error: 'nope' } }, 'Failed to get access token: 403'],
    ['the status of an error of the Web API', serverError, 'Failed to get access token: 500'],
    ['the status of no JSON', { status: 502, body: '<html>' }, 'Failed to get access token: 502'],
    ['the status of an empty body', { status: 503 }, 'Failed to get access token: 503'],
    [
      'the status of a redirect',
      { status: 302, headers: { location: 'http://evil.example/' } },
      'Failed to get access token: 302',
    ],
    ['that it cannot be parsed', garbage, 'Failed to parse token response'],
    ['that it is no object', { status: 200, body: '"token"' }, 'Failed to parse token response'],
    ['that there is no token', missingToken, 'Failed to get access token: No token in response'],
    [
      'that the token is empty',
      { status: 200, body: { access_token: '' } },
      'Failed to get access token: No token in response',
    ],
    ['that the answer is too long', { status: 200, body: 'x'.repeat(100_000) }, 'Spotify did not answer'],
    ['that the connection broke', { hangUp: true }, 'Spotify did not answer'],
  ])('8.7a tells %s', async (_, fault, message) => {
    const endpoint = await answering(fault)
    await expect(endpoint.exchange(grant)).rejects.toMatchObject({ message })
    await expect(endpoint.refresh('refresh')).rejects.toMatchObject({ message })
  })

  it('7.11 reads what it needs and nothing else: now plus expires_in seconds', async () => {
    const body = {
      access_token: 'a',
      expires_in: '60',
      refresh_token: 'r',
      scope: 7,
      id_token: 'x',
      future: [],
    }
    const endpoint = await answering({ status: 200, body })
    const before = systemClock.now()
    const tokens = await endpoint.exchange(grant)
    expect(tokens).toEqual({ access_token: 'a', refresh_token: 'r', expires_at: expect.any(Number) })
    expect(tokens.expires_at).toBeGreaterThanOrEqual(Math.round(before + 60_000))
    expect(tokens.expires_at).toBeLessThanOrEqual(Math.round(systemClock.now() + 60_000))
  })

  it('takes an hour for the lifetime of a token where none is stated', async () => {
    const endpoint = await answering({ status: 200, body: { access_token: 'a', expires_in: 'soon' } })
    const { expires_at, refresh_token } = await endpoint.exchange(grant)
    expect(refresh_token).toBeNull()
    expect(Math.abs(expires_at - systemClock.now() - 3_600_000)).toBeLessThan(5_000)
  })

  it('keeps the refresh token where a refresh returns no other', async () => {
    const endpoint = await answering({ status: 200, body: { access_token: 'b', expires_in: 3_600 } })
    expect(await endpoint.refresh('kept')).toMatchObject({ access_token: 'b', refresh_token: 'kept' })
    const rotating = await answering({ status: 200, body: { access_token: 'b', refresh_token: 'next' } })
    expect(await rotating.refresh('used')).toMatchObject({ refresh_token: 'next' })
  })
})
