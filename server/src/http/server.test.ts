import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { signUp, shareApp, startApp } from '../../test/apps.ts'
import { ask, codeOf } from '../../test/ask.ts'
import { captureLog } from '../../test/log.ts'
import { freezeWindows } from '../../test/rate-windows.ts'
import { serverLimits } from '../server-limits.ts'

const app = shareApp()

describe('answers', () => {
  it('16.108 of calls are for the user alone: no shared cache keeps them', async () => {
    const user = await signUp(app, 'ann')
    for (const path of ['/api/profile', '/api/rooms', '/api/auth/list-accounts', '/api/admin/users']) {
      const { headers } = await ask(app.address + path, { headers: { cookie: user.cookie } })
      expect(headers.get('cache-control')).toMatch(/^private, no-cache$|no-store/)
    }
  })

  it('16.108 do not depend on an offer of another protocol, such as HTTP/2 without TLS', async () => {
    const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n'
    socket.write(`GET /health HTTP/1.1\r\nHost: localhost\r\n${offer}\r\n`)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('bad input', () => {
  it.each([
    ['malformed JSON', { body: '{"username":' }, 400, 'invalid_input'],
    [
      'a body that is not JSON',
      { body: 'username=x', headers: { 'content-type': 'text/plain' } },
      400,
      'invalid_input',
    ],
    ['an object with a __proto__ key', { body: '{"__proto__":{"admin":true}}' }, 400, 'invalid_input'],
    ['a field of a wrong type', { body: { username: 7 } }, 400, 'invalid_input'],
    ['a field that is too long', { body: { username: 'x'.repeat(61) } }, 400, 'invalid_input'],
    ['an unknown field', { body: { is_admin: true } }, 400, 'invalid_input'],
    ['a list', { body: [] }, 400, 'invalid_input'],
    ['a body too large', { body: 'x'.repeat(serverLimits.httpBodyMaxBytes + 1) }, 413, 'payload_too_large'],
  ])(
    '7.8 is rejected with an error of the closed list and changes nothing: %s',
    async (_name, question, status, code) => {
      const user = await signUp(app, 'ann')
      const url = `${app.address}/api/profile`
      const { headers: given } = { headers: {}, ...question }
      const headers = { cookie: user.cookie, 'content-type': 'application/json', ...given }
      const answer = await ask(url, { method: 'PATCH', ...question, headers })
      expect(answer.status).toBe(status)
      expect(codeOf(answer)).toBe(code)
      const { json } = await ask(url, { headers: { cookie: user.cookie } })
      expect(json).toMatchObject({ profile: { username: 'ann', full_name: '' } })
    },
  )

  it('16.2 is refused where it is compressed', async () => {
    const user = await signUp(app, 'ann')
    const headers = { cookie: user.cookie, 'content-encoding': 'gzip' }
    const valid = '{"username":"bob"}'
    for (const body of [gzipSync(valid), valid, 'no gzip']) {
      const answer = await ask(`${app.address}/api/profile`, { method: 'PATCH', headers, body })
      expect(codeOf(answer)).toBe('invalid_input')
    }
    const { json } = await ask(`${app.address}/api/profile`, { headers: { cookie: user.cookie } })
    expect(json).toMatchObject({ profile: { username: 'ann' } })
  })

  it('is answered with the path of each problem', async () => {
    const user = await signUp(app, 'ann')
    const body = { username: 7, preferred_source: 'radio' }
    const headers = { cookie: user.cookie }
    const { json } = await ask(`${app.address}/api/profile`, { method: 'PATCH', headers, body })
    expect(json).toMatchObject({
      error: {
        code: 'invalid_input',
        message: expect.stringMatching(/^username: /),
        issues: [{ path: 'username' }, { path: 'preferred_source' }],
      },
    })
  })

  it.each([
    'GET /api',
    'GET /api/nothing',
    'DELETE /api/rooms',
    'POST /',
    'GET /api/auth/nothing',
    'GET /assets/none.js',
  ])('is answered with not_found for an unknown path: %s', async (call) => {
    const [method, path] = call.split(' ')
    const answer = await ask(app.address + path, { method, headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(codeOf(answer)).toBe('not_found')
  })

  it('is rejected where the URL cannot be decoded', async () => {
    expect(codeOf(await ask(`${app.address}/api/rooms/%zz`))).toBe('invalid_input')
  })
})

describe('an unexpected error', () => {
  it('8.17 is logged in full, and only its code is sent to the client', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const user = await signUp(app, 'ann')
    await app.db.schema.dropTable('profiles').execute()
    const answer = await ask(`${app.address}/api/profile`, { headers: { cookie: user.cookie } })
    expect(answer.status).toBe(500)
    expect(answer.json).toEqual({
      error: { code: 'internal', message: 'Something went wrong on the server' },
    })
    const line = lines.find((each) => each.msg === 'Request failed; answering with an error')
    expect(line).toMatchObject({ level: 50, err: { message: expect.stringContaining('profiles') } })
    expect(JSON.stringify(lines)).not.toContain(user.cookie)
  })
})

describe('the log', () => {
  it('contains neither search terms nor user data of a request', async () => {
    const { logger, lines } = captureLog('debug')
    const app = await startApp({ logger })
    const user = await signUp(app, 'ann')
    await ask(`${app.address}/api/tracks?source=library&q=embarrassing`, { headers: { cookie: user.cookie } })
    const answered = { msg: 'Request completed', method: 'GET', path: '/api/tracks' }
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(answered)))
    const log = JSON.stringify(lines)
    for (const secret of ['embarrassing', 'correct horse', user.cookie]) expect(log).not.toContain(secret)
  })
})

describe('too many calls', () => {
  // One person in place of 60 has a sixtieth of 5,000 calls, rounded up.
  const few = { PEOPLE_PER_ADDRESS: '1' }
  const points = 84

  it('5.8d from one address are rejected until the window has passed; health, audio and covers are not counted', async () => {
    const app = await startApp({ variables: few })
    freezeWindows()
    const url = `${app.address}/api/config`
    const answers = await Promise.all(Array.from({ length: points + 5 }, () => ask(url)))
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused).toHaveLength(5)
    expect(codeOf(refused[0]!)).toBe('rate_limited')
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeLessThanOrEqual(10)
    expect((await ask(`${app.address}/health`)).status).toBe(200)
    expect((await ask(`${app.address}/api/tracks/t/art`)).status).toBe(401)
  })

  it('16.7 cannot be hidden with a forged x-forwarded-for header, which is logged once', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger, variables: { ...few, PUBLIC_URL: 'https://music.example.org' } })
    freezeWindows()
    const answers = await Promise.all(
      Array.from({ length: points + 1 }, (_, index) =>
        ask(`${app.address}/api/config`, { headers: { 'x-forwarded-for': `192.0.2.${index}` } }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1)
    expect(lines.filter((line) => JSON.stringify(line).includes('TRUST_PROXY'))).toHaveLength(1)
  })

  it('16.7 count by the address that a trusted proxy wrote, however the client forged the rest', async () => {
    const app = await startApp({ variables: { ...few, TRUST_PROXY: '1' } })
    const askFrom = (forged: string, client: string) =>
      ask(`${app.address}/api/config`, { headers: { 'x-forwarded-for': `${forged}, ${client}` } })
    freezeWindows()
    const answers = await Promise.all(
      Array.from({ length: points + 1 }, (_, index) => askFrom(`192.0.2.${index}`, '198.51.100.1')),
    )
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1)
    expect((await askFrom('192.0.2.1', '198.51.100.2')).status).toBe(200)
  })
})

describe('every response', () => {
  it('4.23b forbids foreign scripts and framing, and sets the referrer policy', async () => {
    const app = await startApp({ variables: { SOCKET_SERVERS: 'https://two.example.org,gopher://old' } })
    const { headers } = await ask(`${app.address}/api/config`)
    const policy = headers.get('content-security-policy') ?? ''
    const directives = Object.fromEntries(
      policy.split(';').map((each) => [each.split(' ')[0], each.split(' ').slice(1)]),
    )
    expect(directives).toMatchObject({
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'https:'],
      'media-src': ["'self'", 'blob:'],
      'connect-src': ["'self'", 'https://two.example.org', 'wss://two.example.org'],
      'frame-src': ["'self'"],
      'worker-src': ["'self'", 'blob:'],
      'frame-ancestors': ["'none'"],
      'object-src': ["'none'"],
    })
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('cross-origin-embedder-policy')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  it('15.85 has the security headers, also where the URL cannot be decoded or is no path of ours', async () => {
    const { headers } = await ask(`${app.address}/api/config`)
    const policy = headers.get('content-security-policy')
    for (const [path, status] of [
      ['/%zz', 400],
      ['/api/rooms/%E0%A4%A', 400],
      ['/livez/%00', 400],
      ['/api/nothing', 404],
    ] as const) {
      const answer = await ask(app.address + path)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-security-policy')).toBe(policy)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.json).toMatchObject({ error: { code: expect.any(String) } })
    }
  })

  it('15.85 of the realtime channel names nosniff, also where it refuses', async () => {
    for (const query of ['EIO=4&transport=polling', 'EIO=4&transport=none']) {
      const answer = await ask(`${app.address}/socket.io/?${query}`)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('a call without input', () => {
  it('accepts an empty body with the JSON content type', async () => {
    const user = await signUp(app, 'ann')
    const headers = { cookie: user.cookie, origin: app.address, 'content-type': 'application/json' }
    const answer = await ask(`${app.address}/api/auth/sign-out`, { method: 'POST', headers, body: '' })
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
  })
})

describe('closing', () => {
  it('does not wait for clients that keep their connection open', async () => {
    const app = await startApp()
    const { port } = new URL(app.address)
    const socket = connect(Number(port), '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('connect', resolve))
    // Half a request, so that the server waits for the rest.
    socket.write('GET /health HTTP/1.1\r\nHost: x\r\n')
    await app.close()
    await closed
    await expect(ask(`${app.address}/health`)).rejects.toThrow('fetch failed')
  })
})

it('16.46 logs a request that its client aborts at debug only', async () => {
  const { logger, lines } = captureLog('debug')
  const app = await startApp({ logger })
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const head = ['POST /api/auth/sign-in/email HTTP/1.1', 'host: localhost', 'content-type: application/json']
  socket.write(`${head.join('\r\n')}\r\ncontent-length: 100\r\n\r\n{"email":`)
  await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(100))
  // The server must have begun to read the body.
  await ask(`${app.address}/livez`)
  socket.destroy()
  await vi.waitFor(() =>
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 20, msg: 'Request aborted by the client' }),
    ),
  )
  await ask(`${app.address}/livez`)
  expect(lines.filter(({ level }) => level > 30)).toEqual([])
})
