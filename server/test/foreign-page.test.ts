import { clientVersion } from '@earshot/core/protocol/wire-constants'
import { describe, expect, it } from 'vitest'
import { type TestApp, signUp, shareApp } from './apps.ts'
import { type Answer, type Question, ask } from './ask.ts'
import { type TestClient, connect, openJoinedRoom, joinAs } from './sockets.ts'

/** The needs of a page that is hosted elsewhere, and of the tester, as a browser would send them. */

const origin = 'https://pages.example.net'
const clientKey = 'publishable-key'
const withKey = { PUBLIC_CLIENT_KEY: clientKey }

/** A browser asks whether the page may send this. */
function askFirst(app: TestApp, path: string, method: string, headers = ''): Promise<Answer> {
  const question = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': headers,
  }
  return ask(app.address + path, { method: 'OPTIONS', headers: question })
}

const askAsPage = (app: TestApp, path: string, { headers, ...rest }: Question = {}): Promise<Answer> =>
  ask(app.address + path, { ...rest, headers: { origin, ...headers } })

const readers = ({ headers }: Answer): (string | null)[] => [
  headers.get('access-control-allow-origin'),
  headers.get('access-control-allow-credentials'),
]

/** Connects as a page of another origin, whose headers are the browser's alone. */
async function connectAsPage(
  app: TestApp,
  transport: 'websocket' | 'polling',
  auth: Record<string, unknown> = {},
): Promise<TestClient> {
  const user = await signUp(app, 'ann')
  const extraHeaders = { cookie: user.cookie, origin }
  return await connect(app, user, { transports: [transport], extraHeaders, auth })
}

const app = shareApp()
const keyed = shareApp({ variables: withKey })

describe.each(['websocket', 'polling'] as const)('a page of another origin over %s', (transport) => {
  it('2.39b connects with the key in the payload of the handshake, and uses the tester', async () => {
    const app = keyed
    const page = await connectAsPage(app, transport, { clientKey })
    const sent = { timestamp: 5, clientId: 'c', test: 'over there' }
    expect(await page.ask('echo', sent)).toEqual({ ...sent, serverTime: expect.any(Number) })
    expect(await page.ask('ping', { time: 12.5 })).toMatchObject({ time: 12.5 })
  })

  it('2.39b is refused with its code where it does not show the key', async () => {
    const app = keyed
    for (const auth of [
      {},
      { clientKey: '' },
      { clientKey: 'publishable-kex' },
      { clientKey: [clientKey] },
    ]) {
      await expect(connectAsPage(app, transport, auth)).rejects.toMatchObject({
        data: { code: 'client_key_required' },
      })
    }
  })

  it('is refused where the operator set no key, whatever it shows', async () => {
    await expect(connectAsPage(app, transport, { clientKey })).rejects.toThrow(
      /websocket error|xhr poll error/,
    )
  })

  it('needs no key to be a page of our own, or none at all', async () => {
    const app = keyed
    const user = await signUp(app, 'ann')
    for (const own of [{ origin: app.address }, {}] as Record<string, string>[]) {
      const extraHeaders = { cookie: user.cookie, ...own }
      const client = await connect(app, user, { transports: [transport], extraHeaders })
      expect(client.socket.connected).toBe(true)
    }
  })
})

describe('what a browser is told about the realtime channel', () => {
  const probe = '/socket.io/?EIO=4&transport=polling'

  it('2.39b pages of other origins may read it where there is a key', async () => {
    const app = keyed
    expect(readers(await askAsPage(app, probe))).toEqual([origin, 'true'])
    const question = await askFirst(app, probe, 'POST', 'content-type')
    expect(question.status).toBe(204)
    expect(readers(question)).toEqual([origin, 'true'])
    expect(question.headers.get('vary')).toMatch(/origin/i)
  })

  it('and where there is none only our own may', async () => {
    for (const answer of [await askAsPage(app, probe), await askFirst(app, probe, 'POST')]) {
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(answer.text).not.toContain('sid')
    }
    const own = await ask(app.address + probe, { headers: { origin: app.address } })
    expect(readers(own)).toEqual([app.address, 'true'])
    expect(own.text).toMatch(/^0\{"sid":/)
  })
})

describe('what a browser is told about calls', () => {
  it('2.39b, 7.24c a page with the key may send every method', async () => {
    const app = keyed
    for (const [method, path, headers] of [
      ['POST', '/api/rooms', 'content-type,x-client-key,x-client-version'],
      ['PATCH', '/api/profile', 'content-type,x-client-key'],
      ['DELETE', '/api/rooms/r/queue/e', 'x-client-key'],
      ['GET', '/api/tracks/t/audio', 'range,x-client-key'],
    ] as const) {
      const answer = await askFirst(app, path, method, headers)
      expect(answer.status).toBe(204)
      expect(readers(answer)).toEqual([origin, 'true'])
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
      const allowed = answer.headers.get('access-control-allow-headers')?.split(', ')
      expect(allowed).toEqual(expect.arrayContaining(headers.split(',')))
      expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
    }
  })

  it('2.39b with the key it signs up, makes a room and is heard in it', async () => {
    const app = keyed
    const page = await connectAsPage(app, 'websocket', { clientKey })
    const headers = { cookie: page.user.cookie, 'x-client-key': clientKey, 'x-client-version': clientVersion }
    const made = await askAsPage(app, '/api/rooms', { method: 'POST', headers, body: { name: 'Room' } })
    expect(readers(made)).toEqual([origin, 'true'])
    const { id: roomId } = made.json as { id: string }
    await page.ask('join_room', { roomId })
    const ben = await joinAs(app, roomId, 'ben')
    await ben.ask('send_message', { roomId, message: 'welcome' })
    expect((await page.hear('message')).message.content).toBe('welcome')
  })

  it('tells the page when a limit lets it call again', async () => {
    const app = keyed
    const answer = await askAsPage(app, '/api/rooms', { headers: { 'x-client-key': clientKey } })
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(['accept-ranges', 'content-range', 'retry-after'])
  })

  it('says in every answer that another page may get another one', async () => {
    for (const { address } of [app, keyed]) {
      for (const each of [origin, address]) {
        const answer = await ask(`${address}/api/rooms`, { headers: { origin: each } })
        expect(answer.headers.get('vary')).toMatch(/origin/i)
      }
    }
  })
})

describe('the tester of another version', () => {
  it('7.22a, 7.22b, 7.24a, 7.24b, 7.24c finds what it looks for', async () => {
    const { owner } = await openJoinedRoom(app)
    expect(await owner.ask('ping', { time: 1 })).toMatchObject({ time: 1 })
    expect(await owner.ask('echo', { test: 'x' })).toMatchObject({ test: 'x' })
    const headers = { 'x-client-version': clientVersion }
    expect(await askAsPage(app, '/health', { headers })).toMatchObject({
      status: 200,
      json: { status: 'ok' },
    })
    for (const path of ['/socket.io/', '/socket.io']) {
      const answer = await ask(`${app.address}${path}?EIO=4&transport=polling`, { headers })
      expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/^0\{"sid":/) })
    }
    const checked = await ask(`${app.address}/api/rooms`, {
      method: 'OPTIONS',
      headers: { origin: app.address },
    })
    expect(checked.status).toBe(204)
    expect(readers(checked)).toEqual([app.address, 'true'])
  })
})
