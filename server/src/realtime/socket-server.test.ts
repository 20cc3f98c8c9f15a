import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect as openSocket } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createAddressOf } from '../http/client-address.ts'
import { createOriginRule } from '../http/origin.ts'
import { createSecurityLog } from '../ops/security-log.ts'
import { createSocketServer } from './socket-server.ts'

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
