import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect as openSocket } from 'node:net'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Server, type Socket } from 'socket.io'
import { io as connectTo } from 'socket.io-client'
import { WebSocket } from 'ws'
import { createAddressOf } from '../http/client-address.ts'
import { createOriginRule } from '../http/origin.ts'
import { createSecurityLog } from '../ops/security-log.ts'
import type { RoomServer } from './room-sockets.ts'
import { createSocketServer, limitConnections, keepSmallRequests } from './socket-server.ts'
import { otherRates } from '../limits/rates.ts'

/** Simulates connections without a network. */
function openServer(perAddress = 1_000) {
  const io = new EventEmitter()
  const connect = (id: string, address = 'home') => {
    const data = { session: { id: 's', user: { id } }, address }
    const socket = Object.assign(new EventEmitter(), { data })
    io.emit('connection', socket)
    return () => socket.emit('disconnect')
  }
  return { connections: limitConnections(io as unknown as RoomServer, perAddress), connect }
}

/** Opens a WebSocket by hand and reads what comes, but never answers, not even a close frame. */
async function openSilently(port: number): Promise<{ closed: Promise<void> }> {
  const socket = openSocket(port, '127.0.0.1')
  const closed = once(socket, 'close').then(() => undefined)
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const lines = [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    'host: 127.0.0.1',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 101 /)
  socket.resume()
  return { closed }
}

it('16.46 a WebSocket without a session is destroyed, though it ignores its end', async () => {
  const httpServer = createHttpServer().listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  const logger = pino({ level: 'silent' })
  const originRule = createOriginRule({ publicUrls: [], socketServers: [], publicClientKey: null })
  const resolveSession = async () => null
  const io = createSocketServer({
    httpServer,
    logger,
    originRule,
    resolveSession,
    redis: null,
    addressOf: createAddressOf({ trustProxy: null }),
    securityLog: createSecurityLog(logger),
    handshakeMs: 100,
  })
  onTestFinished(() => void io.close())
  const { port } = httpServer.address() as AddressInfo
  const { closed } = await openSilently(port)
  await expect(closed).resolves.toBeUndefined()
})

const refused = expect.objectContaining({ code: 'rate_limited' })

describe('the connections of a user', () => {
  it('5.8d are 100 at a time at most', async () => {
    const { connections, connect } = openServer()
    const hangUps = Array.from({ length: 100 }, () => connect('ann'))
    await expect(connections.admit('ann', 'home')).rejects.toEqual(refused)
    await connections.admit('ben', 'home')
    hangUps[0]?.()
    await connections.admit('ann', 'home')
  })

  it('5.8d are opened 100 times in 10 s at most', async () => {
    const { connections } = openServer()
    expect(otherRates.connect).toEqual({ points: 100, perMs: 10_000 })
    for (let time = 0; time < 100; time++) await connections.admit('ann', 'home')
    const details = { retryAfterMs: expect.any(Number) }
    await expect(connections.admit('ann', 'home')).rejects.toMatchObject({ code: 'rate_limited', details })
    await connections.admit('ben', 'home')
  })
})

it('15.62 an address has so many connections with a session at a time, whoever they are of', async () => {
  const { connections, connect } = openServer(2)
  const hangUps = ['ann', 'ben'].map((name) => connect(name))
  await expect(connections.admit('cem', 'home')).rejects.toEqual(refused)
  await connections.admit('cem', 'office')
  hangUps[0]?.()
  await connections.admit('cem', 'home')
})

async function startServer() {
  const httpServer = createHttpServer()
  const io = new Server(httpServer)
  keepSmallRequests(io as unknown as RoomServer)
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  onTestFinished(() => io.close())
  const { port } = httpServer.address() as AddressInfo
  return { io, port }
}

it.each([['websocket'], ['polling']])(
  '16.117 of the request that opened a connection over %s only what is still read is kept',
  async (transport) => {
    const { io, port } = await startServer()
    const client = connectTo(`http://127.0.0.1:${port}`, {
      transports: [transport],
      forceNew: true,
      extraHeaders: { cookie: 'session=1', 'x-forwarded-for': '192.0.2.1', 'user-agent': 'a long name' },
      query: { room: 'r1' },
    })
    onTestFinished(() => void client.close())
    await new Promise<void>((resolve) => client.once('connect', resolve))
    const [socket] = [...io.sockets.sockets.values()]
    expect(Object.keys(socket?.request ?? {})).toEqual(['headers', 'url', 'socket', 'connection', '_query'])
    expect(socket?.request.headers).toEqual({
      host: `127.0.0.1:${port}`,
      cookie: 'session=1',
      'x-forwarded-for': '192.0.2.1',
    })
    expect(socket?.request.socket.remoteAddress).toBe('127.0.0.1')
    expect(socket?.handshake).toMatchObject({
      headers: { cookie: 'session=1' },
      query: { room: 'r1' },
      address: '127.0.0.1',
      secure: false,
    })
  },
)

it('16.117 a client that leaves and comes back on the same connection is who it was', async () => {
  const { io, port } = await startServer()
  const raw = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
    headers: { cookie: 'session=1' },
  })
  onTestFinished(() => raw.terminate())
  raw.on('message', (data: Buffer) => {
    if (data.toString().startsWith('0')) raw.send('40')
  })
  for (let visit = 0; visit < 2; visit += 1) {
    const [socket] = (await once(io, 'connection')) as [Socket]
    expect(socket.request.headers.cookie).toBe('session=1')
    const left = once(socket, 'disconnect')
    raw.send('41')
    await left
    raw.send('40')
  }
})
