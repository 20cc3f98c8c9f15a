import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { freezeWindows } from '../../test/rate-windows.ts'
import { createAddressOf } from '../http/client-address.ts'
import { createOriginRule } from '../http/origin.ts'
import { createSecurityLog } from '../ops/security-log.ts'
import type { RoomServer } from './room-sockets.ts'
import { type SocketServerOptions, createSocketServer } from './socket-server.ts'
import { limitUnsigned } from './unsigned-connections.ts'
import { serverLimits } from '../server-limits.ts'
import { otherRates } from '../limits/rates.ts'

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
async function startServer(
  options: Partial<
    Pick<SocketServerOptions, 'handshakeMs' | 'unsignedPerAddress' | 'resolveSession' | 'logger'>
  > = {},
) {
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
  const { io, open } = await startServer({ unsignedPerAddress: 1, handshakeMs: 3_000 })
  const signedIn = [await signIn(io, open), await signIn(io, open), await signIn(io, open)]
  await once(open(), 'close')
  expect(signedIn.map(({ readyState }) => readyState)).toEqual([1, 1, 1])
})

it('15.62 a polling connection that never signs in ends, though nobody asks for its end', async () => {
  const { io, poll } = await startServer({ handshakeMs: 100 })
  const connected = once(io.engine, 'connection')
  await poll()
  await connected
  await vi.waitFor(() => expect(io.engine.clientsCount).toBe(0))
})

it('15.62 a connection that leaves its session is no longer held', async () => {
  const { io, open } = await startServer({ handshakeMs: 3_000 })
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

it('16.244 a connection that has not signed in sends 20 packets, pings included; one more ends it', async () => {
  expect(serverLimits.unsignedPacketsMax).toBe(20)
  const { io, open } = await startServer()
  const signedIn = await signIn(io, open)
  const [rude, pinging] = [open(), open()]
  await Promise.all([once(rude, 'open'), once(pinging, 'open')])
  for (const socket of [rude, pinging]) {
    for (let sent = 0; sent < 10; sent += 1) socket.send('3')
  }
  for (let sent = 0; sent < 25; sent += 1) signedIn.send('3')
  for (let sent = 0; sent < 10; sent += 1) rude.send('3')
  for (let sent = 0; sent < 10; sent += 1) pinging.pong()
  pinging.ping()
  rude.send('40')
  await Promise.all([once(rude, 'close'), once(pinging, 'close')])
  expect(signedIn.readyState).toBe(WebSocket.OPEN)
})

it('16.244 the connections of one address that have not signed in send 5,000 packets a second together', () => {
  expect(otherRates.unsignedPackets).toEqual({ points: 5_000, perMs: 1_000 })
  let nowMs = 1_000
  const io = Object.assign(new EventEmitter(), { engine: new EventEmitter() })
  const unsigned = limitUnsigned(io as unknown as RoomServer, {
    keyOf: ({ url }) => url ?? null,
    handshakeMs: 10_000,
    perAddress: undefined,
    now: () => nowMs,
  })
  type Connection = Parameters<typeof unsigned.isTooMuch>[0]
  const openAt = (url: string) => {
    const connection = Object.assign(new EventEmitter(), { request: { url } }) as unknown as Connection
    io.engine.emit('connection', connection)
    onTestFinished(() => void connection.emit('close', 'transport close'))
    return connection
  }
  const { points, perMs } = otherRates.unsignedPackets
  for (let sent = 0; sent < points; sent += 10) {
    const connection = openAt('home')
    for (let packet = 0; packet < 10; packet += 1) expect(unsigned.isTooMuch(connection)).toBe(false)
  }
  expect(unsigned.isTooMuch(openAt('home'))).toBe(true)
  expect(unsigned.isTooMuch(openAt('office'))).toBe(false)
  nowMs += perMs
  expect(unsigned.isTooMuch(openAt('home'))).toBe(false)
})

it('16.244 a connection that asks to connect many times at once has its session read once', async () => {
  const read = Promise.withResolvers<void>()
  let reads = 0
  const resolveSession = async () => {
    reads += 1
    await read.promise
    return { id: 's', user }
  }
  const { io, open } = await startServer({ resolveSession })
  const socket = open()
  await once(socket, 'open')
  const refusals: string[] = []
  socket.on('message', (data: Buffer) => {
    if (data.toString().startsWith('44')) refusals.push(data.toString())
  })
  for (let sent = 0; sent < 15; sent += 1) socket.send('40')
  await vi.waitFor(() => expect(refusals).toHaveLength(14))
  expect(refusals[0]).toContain('rate_limited')
  expect(reads).toBe(1)
  const connected = once(io, 'connection')
  read.resolve()
  await connected
})

it('16.247 a session that connects more than 100 times in 10 s is refused before it is read', async () => {
  let reads = 0
  const resolveSession: SocketServerOptions['resolveSession'] = async (cookies, beforeRead) => {
    await beforeRead?.(cookies ?? '')
    reads += 1
    return null
  }
  const { open } = await startServer({ resolveSession })
  const connect = async (cookie: string): Promise<string> => {
    const socket = open({ cookie })
    await once(socket, 'message')
    socket.send('40')
    const [answer] = (await once(socket, 'message')) as [Buffer]
    socket.terminate()
    return answer.toString()
  }
  const { points } = otherRates.connect
  freezeWindows()
  for (let time = 0; time < points; time += 1) expect(await connect('one')).toContain('unauthenticated')
  expect(await connect('one')).toContain('rate_limited')
  expect(reads).toBe(points)
  expect(await connect('two')).toContain('unauthenticated')
})
