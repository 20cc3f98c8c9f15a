import { request } from 'node:http'
import { httpApi } from '@earshot/core/protocol/http-api'
import { describe, expect, it } from 'vitest'
import { signUp, shareApp, startApp, type TestApp } from '../../test/apps.ts'
import { ask, codeOf, cookiesOf } from '../../test/ask.ts'
import { captureLog } from '../../test/log.ts'
import { createOriginRule } from './origin.ts'

const foreign = 'https://pages.example.net'
const key = 'publishable-key'

const app = shareApp()

describe('the origin rule', () => {
  const check = (
    origin: string | null,
    host: string,
    options: Partial<Parameters<typeof createOriginRule>[0]> = {},
  ) =>
    createOriginRule({ publicUrls: [], socketServers: [], publicClientKey: null, ...options }).isAllowed(
      origin,
      new Headers({ host }),
    )

  it('admits requests without an origin, which come from no page', () => {
    expect(check(null, 'anything')).toBe(true)
  })

  it.each(['127.0.0.1:3000', 'localhost:3000', '192.168.1.5:3000', '[::1]:3000', '10.0.0.1'])(
    'admits a page that calls the address it was served from: %s',
    (host) => {
      expect(check(`http://${host}`, host)).toBe(true)
      expect(check('http://192.0.2.9', host)).toBe(false)
      expect(check(`http://${host}9`, host)).toBe(false)
    },
  )

  it('rejects host names, which anybody can point at this server', () => {
    expect(check('http://rebound.example:3000', 'rebound.example:3000')).toBe(false)
    expect(check('null', '127.0.0.1:3000')).toBe(false)
  })

  it('16.10 logs each refused origin once, with the setting to change, and no more than 20', () => {
    const { logger, lines } = captureLog()
    const rule = createOriginRule({ publicUrls: [], socketServers: [], publicClientKey: null, logger })
    const headers = new Headers({ host: 'nas.local:3000' })
    const refuse = (origin: string) => expect(() => rule.check(origin, headers, false)).toThrow('origin')
    refuse('http://nas.local:3000')
    refuse('http://nas.local:3000')
    expect(rule.mayAsk('http://nas.local:3000', headers)).toBe(false)
    expect(lines).toMatchObject([
      { origin: 'http://nas.local:3000', msg: expect.stringContaining('PUBLIC_URL') },
    ])
    for (let index = 0; index < 30; index += 1) refuse(`http://stranger-${index}.example`)
    expect(lines).toHaveLength(20)
  })

  it('16.51 admits only the configured addresses and the listed servers once one is configured', () => {
    const options = {
      publicUrls: ['https://music.example', 'http://nas.local:3000'],
      socketServers: ['https://two.example', 'gopher://old'],
    }
    // The header of a page that hides its origin, such as one in a sandbox.
    expect(check('null', '127.0.0.1:3000', options)).toBe(false)
    expect(check('https://music.example', '127.0.0.1:3000', options)).toBe(true)
    expect(check('http://nas.local:3000', 'nas.local:3000', options)).toBe(true)
    expect(check('https://two.example', '127.0.0.1:3000', options)).toBe(true)
    expect(check('http://music.example', '127.0.0.1:3000', options)).toBe(false)
    expect(check('https://music.example.evil.example', '127.0.0.1:3000', options)).toBe(false)
    expect(check('http://127.0.0.1:3000', '127.0.0.1:3000', options)).toBe(false)
  })
})

describe('a page of another origin', () => {
  const rename = (app: TestApp, headers: Record<string, string>) =>
    ask(app.address + httpApi.updateProfile.path, { method: 'PATCH', headers, body: { username: 'changed' } })

  it('cannot change anything, signed in or not', async () => {
    const { cookie } = await signUp(app, 'ann')
    for (const origin of [foreign, 'null', app.address.replace('http:', 'https:')]) {
      const answer = await rename(app, { cookie, origin })
      expect(answer.status).toBe(403)
      expect(codeOf(answer)).toBe('origin_refused')
    }
    for (const path of ['/sign-in/email', '/sign-up/email', '/sign-out']) {
      const answer = await ask(`${app.address}/api/auth${path}`, {
        method: 'POST',
        headers: { cookie, origin: foreign },
        body: { email: 'eve@example.org', password: 'secret' },
      })
      expect(answer).toMatchObject({ status: 403, json: { code: 'origin_refused' } })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const own = await ask(`${app.address}/api/profile`, { headers: { cookie } })
    expect(own.json).toMatchObject({ profile: { username: 'ann' } })
  })

  it('cannot change anything without an Origin header either', async () => {
    const { cookie } = await signUp(app, 'ann')
    for (const site of ['cross-site', 'same-site']) {
      expect(codeOf(await rename(app, { cookie, 'sec-fetch-site': site }))).toBe('origin_refused')
    }
    expect((await rename(app, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it('cannot bypass the rule with another spelling of the path', async () => {
    const { cookie } = await signUp(app, 'ann')
    const { port } = new URL(app.address)
    for (const path of [
      '/%61pi/profile',
      '/api/%70rofile',
      '/./api/profile',
      '//api/profile',
      '/api//profile',
    ]) {
      const body = '{"username":"changed"}'
      const headers = {
        cookie,
        origin: foreign,
        'content-type': 'application/json',
        'content-length': body.length,
      }
      // The client of the other tests normalises URLs.
      const status = await new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path, method: 'PATCH', headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.on('error', reject)
        sent.end(body)
      })
      expect([403, 404]).toContain(status)
    }
    const own = await ask(`${app.address}/api/profile`, { headers: { cookie } })
    expect(own.json).toMatchObject({ profile: { username: 'ann' } })
  })

  it('cannot read responses', async () => {
    const answer = await ask(`${app.address}/api/rooms`, { headers: { origin: foreign } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const question = await ask(`${app.address}/api/rooms`, {
      method: 'OPTIONS',
      headers: { origin: foreign, 'access-control-request-method': 'POST' },
    })
    expect(question.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('2.39b may call with the key that the operator set, and only with it', async () => {
    const app = await startApp({ variables: { PUBLIC_CLIENT_KEY: key } })
    const { cookie } = await signUp(app, 'ann')
    const without: Record<string, string>[] = [
      {},
      { 'x-client-key': 'publishable-kex' },
      { 'x-client-key': '' },
    ]
    for (const headers of without) {
      const answer = await rename(app, { cookie, origin: foreign, ...headers })
      expect(answer.status).toBe(401)
      expect(codeOf(answer)).toBe('client_key_required')
      const reading = await ask(`${app.address}/api/rooms`, { headers: { origin: foreign, ...headers } })
      expect(codeOf(reading)).toBe('client_key_required')
      expect(reading.headers.get('access-control-allow-origin')).toBe(foreign)
    }
    const answer = await rename(app, { cookie, origin: foreign, 'x-client-key': key })
    expect(answer).toMatchObject({ status: 200, json: { profile: { username: 'changed' } } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(foreign)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    // Own pages need no key.
    expect(await rename(app, { cookie, origin: app.address })).toMatchObject({ status: 200 })
  })

  it('2.39b signs in with the key', async () => {
    const app = await startApp({ variables: { PUBLIC_CLIENT_KEY: key } })
    const signUpFrom = (headers: Record<string, string>) =>
      ask(`${app.address}/api/auth/sign-up/email`, {
        method: 'POST',
        headers: { origin: foreign, ...headers },
        body: { email: 'ann@example.org', password: 'secret' },
      })
    expect((await signUpFrom({})).status).toBe(401)
    expect((await signUpFrom({ 'x-client-key': key })).status).toBe(200)
  })

  it('2.39b gets the allowed methods and headers in the preflight response', async () => {
    const app = await startApp({ variables: { PUBLIC_CLIENT_KEY: key } })
    const answer = await ask(`${app.address}/api/rooms`, {
      method: 'OPTIONS',
      headers: {
        origin: foreign,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-client-key',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(foreign)
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-client-key')
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(answer.headers.get('vary')).toMatch(/origin/i)
  })
})

describe('a program other than a browser', () => {
  it('signs up, calls and signs out without an Origin header', async () => {
    const post = (path: string, body: unknown, cookie?: string) =>
      ask(app.address + path, { method: 'POST', body, headers: cookie === undefined ? {} : { cookie } })
    const signedUp = await post('/api/auth/sign-up/email', { email: 'ann@example.org', password: 'secret' })
    expect(signedUp.status).toBe(200)
    const cookie = cookiesOf(signedUp)
    expect((await post('/api/rooms', { name: 'Room' }, cookie)).status).toBe(200)
    expect((await post('/api/auth/sign-out', {}, cookie)).status).toBe(200)
    expect((await post('/api/rooms', { name: 'Room' }, cookie)).status).toBe(401)
  })
})

it.each([
  ['https://music.example', true],
  ['https://music.example,http://nas.local:3000', false],
] as const)(
  '16.51 browsers are told to insist on https where every address is secure: %s',
  async (PUBLIC_URL, isSecure) => {
    const app = await startApp({ variables: { PUBLIC_URL } })
    const { headers } = await ask(`${app.address}/livez`)
    expect(headers.get('strict-transport-security')).toBe(isSecure ? 'max-age=15552000' : null)
    const answer = await ask(`${app.address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: PUBLIC_URL.split(',').at(-1) ?? '' },
      body: { email: 'ann@example.org', password: 'correct horse' },
    })
    expect(answer.status).toBe(200)
    expect(/;\s*secure/i.test(answer.headers.get('set-cookie') ?? '')).toBe(isSecure)
  },
)
