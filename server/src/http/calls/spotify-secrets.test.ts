import { readdir, readFile } from 'node:fs/promises'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { join } from 'node:path'
import { serverError } from '@earshot/provider-doubles/faults'
import { expect, it, onTestFinished } from 'vitest'
import { signUp } from '../../../test/apps.ts'
import { ask, type Question } from '../../../test/ask.ts'
import { makeFolder } from '../../../test/folders.ts'
import { captureLog } from '../../../test/log.ts'
import { startSpotifyApp } from '../../providers/spotify/testing/spotify-app.ts'

/** Records the origins of all requests that this process sends. */
function recordOrigins(): Set<string> {
  const origins = new Set<string>()
  const record = (message: unknown): void => {
    const { request } = message as { request: { origin: string | URL } }
    origins.add(String(request.origin))
  }
  subscribe('undici:request:create', record)
  onTestFinished(() => void unsubscribe('undici:request:create', record))
  return origins
}

it('3.6b, 15.4 no secret is in a log, an answer or the database, and only the configured hosts are called', async () => {
  const origins = recordOrigins()
  const { logger, lines } = captureLog('trace')
  const dataDir = await makeFolder()
  const { app, double } = await startSpotifyApp({ logger, dataDir })
  const ann = await signUp(app, 'ann')
  const answers: string[] = []
  const call = async (method: string, path: string, body?: unknown): Promise<string> => {
    const question: Question = { method, headers: { cookie: ann.cookie, origin: app.address }, body }
    const { text, headers } = await ask(app.address + path, question)
    answers.push(text, JSON.stringify([...headers]))
    return text
  }
  const authorize = async (): Promise<{ code: string; state: string }> => {
    const { url } = JSON.parse(await call('POST', '/api/spotify/authorize')) as { url: string }
    answers.splice(-2)
    const query = new URL(await double.control.consentTo(url)).searchParams
    return { code: query.get('code') ?? '', state: query.get('state') ?? '' }
  }

  const refused = { ...(await authorize()), code: 'AQ-a-code-that-spotify-does-not-know' }
  await call('POST', '/api/spotify/callback', refused)
  const callback = await authorize()
  await call('POST', '/api/spotify/callback', callback)
  for (const path of [
    '/api/spotify',
    '/api/profile',
    '/api/tracks?source=spotify&q=harbour',
    '/api/spotify/playlists',
  ]) {
    await call('GET', path)
  }
  double.control.expireAccessTokens('premium-paula')
  double.control.fail('POST /api/token', { status: 500, body: { error: 'server_error' } }, 1)
  await call('GET', '/api/tracks?source=spotify&q=harbour')
  double.control.fail('GET /v1', serverError, 1)
  await call('GET', '/api/spotify/playlists')
  await call('POST', '/api/spotify/callback', callback)
  const files = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isFile())
  const stored = await Promise.all(files.map(({ name }) => readFile(join(dataDir, name), 'latin1')))
  double.control.revokeConsent('premium-paula')
  await call('GET', '/api/tracks?source=spotify&q=harbour')
  await call('DELETE', '/api/spotify')

  const sent = double.calls.map(({ body, headers }) => ({ form: new URLSearchParams(body), headers }))
  const secrets = [
    double.app.clientSecret,
    callback.code,
    callback.state,
    refused.code,
    refused.state,
    ...sent.flatMap(({ form }) => [form.get('code_verifier') ?? '', form.get('refresh_token') ?? '']),
    ...sent.map(({ headers }) => String(headers['authorization'] ?? '').replace(/^\w+ /, '')),
  ].filter((secret) => secret !== '')
  // The code, two verifiers, a refresh token and two access tokens are among them.
  expect(new Set(secrets).size).toBeGreaterThanOrEqual(9)
  expect(lines.length).toBeGreaterThan(10)
  expect(stored.join('')).toContain('spotify_accounts')
  for (const secret of new Set(secrets)) {
    expect(JSON.stringify(lines)).not.toContain(secret)
    expect(answers.join('\n')).not.toContain(secret)
    expect(stored.join('\n')).not.toContain(secret)
  }
  expect([...origins].toSorted()).toEqual([app.address, double.accountsUrl].toSorted())
})
