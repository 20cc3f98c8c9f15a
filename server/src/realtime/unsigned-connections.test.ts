import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createAddressOf } from '../http/client-address.ts'
import { createOriginRule } from '../http/origin.ts'
import { createSecurityLog } from '../ops/security-log.ts'
import type { RoomServer } from './room-sockets.ts'
import { createSocketServer } from './socket-server.ts'

const user = {
  id: 'ann',
  email: '',
  name: 'ann',
  username: 'ann',
  avatarUrl: null,
  isGuest: false,
  isAdmin: false,
}

/** A server behind a proxy that it trusts. Who sends a cookie is signed in. */
async function startServer(options: { handshakeMs?: number; unsignedPerAddress?: number } = {}) {
  const httpServer = createServer().listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  const logger = pino({ level: 'silent' })
  const io = createSocketServer({
    httpServer,
    logger,
    originRule: createOriginRule({ publicUrls: [], socketServers: [], publicClientKey: null }),
    resolveSession: async (cookies) => (cookies === undefined ? null : { id: 's', user }),
    redis: null,
    addressOf: createAddressOf({ trustProxy: 1 }),
    securityLog: createSecurityLog(logger),
    ...options,
  })
  onTestFinished(() => io.close())
  const { port } = httpServer.address() as AddressInfo
  const address = `127.0.0.1:${port}/socket.io/`
  return {
    io,
    /** Opens a session of the polling transport, and resolves to the status. */
    poll: async (from = '192.0.2.1', query = 'EIO=4&transport=polling') =>
      (await fetch(`http://${address}?${query}`, { headers: { 'x-forwarded-for': from } })).status,
    open: (headers: Record<string, string> = {}) => {
      const socket = new WebSocket(`ws://${address}?EIO=4&transport=websocket`, {
        headers: { 'x-forwarded-for': '192.0.2.1', ...headers },
      })
      onTestFinished(() => socket.terminate())
      return socket
    },
  }
}

async function signIn(io: RoomServer, open: (headers: Record<string, string>) => WebSocket) {
  const socket = open({ cookie: 'session=1' })
  await once(socket, 'open')
  const connected = once(io, 'connection')
  socket.send('40')
  await connected
  return socket
}

it('15.62 of one address, so many connections wait to be signed in; a network of IPv6 is one', async () => {
  const { poll, open } = await startServer({ unsignedPerAddress: 2 })
  expect(await poll()).toBe(200)
  const socket = open()
  await once(socket, 'open')
  expect(await poll()).toBe(403)
  const [refusal] = (await once(open(), 'error')) as [Error]
  expect(refusal.message).toMatch(/40\d/)
  expect(await poll('192.0.2.2')).toBe(200)
  for (const [from, status] of [
    ['2001:db8::1', 200],
    ['2001:db8::2', 200],
    ['2001:db8::3', 403],
  ] as const)
    expect(await poll(from)).toBe(status)

  socket.terminate()
  await vi.waitFor(async () => expect(await poll()).toBe(200))
})

it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  '15.62 connections from the server itself (%s) are not counted',
  async (from) => {
    const { poll } = await startServer({ unsignedPerAddress: 1 })
    expect([await poll(from), await poll(from), await poll(from)]).toEqual([200, 200, 200])
  },
)

it('15.62 who is signed in does not wait', async () => {
  const { io, open } = await startServer({ unsignedPerAddress: 1, handshakeMs: 300 })
  const signedIn = [await signIn(io, open), await signIn(io, open), await signIn(io, open)]
  await once(open(), 'close')
  expect(signedIn.map(({ readyState }) => readyState)).toEqual([1, 1, 1])
})

it('15.62 a polling connection that never signs in ends, though nobody asks for its end', async () => {
  const { io, poll } = await startServer({ handshakeMs: 100 })
  await poll()
  expect(io.engine.clientsCount).toBe(1)
  await vi.waitFor(() => expect(io.engine.clientsCount).toBe(0), { timeout: 5_000 })
})

it('15.62 a connection that leaves its session is no longer held', async () => {
  const { io, open } = await startServer({ handshakeMs: 200 })
  const socket = await signIn(io, open)
  socket.send('41')
  await once(socket, 'close')
  await vi.waitFor(() => expect(io.engine.clientsCount).toBe(0))
})

it.each([
  ['JSONP', 'EIO=4&transport=polling&j=0', 403],
  ['clients of Socket.IO 2', 'EIO=3&transport=polling', 400],
])('15.62 %s are refused', async (_name, query, status) => {
  const { io, poll } = await startServer()
  expect(await poll(undefined, query)).toBe(status)
  expect(io.engine.clientsCount).toBe(0)
})
