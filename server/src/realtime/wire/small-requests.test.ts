import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server, type Socket } from 'socket.io'
import { io as connectTo } from 'socket.io-client'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { RoomServer } from '../room-sockets.ts'
import { keepSmallRequests } from './small-requests.ts'

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
