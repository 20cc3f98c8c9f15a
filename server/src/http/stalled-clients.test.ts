import { once } from 'node:events'
import { connect } from 'node:net'
import { limits } from '@earshot/core/limits'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseEnv } from '../env.ts'
import { createOriginRule } from './origin.ts'
import { closeServer } from './close-server.ts'
import { createServer } from './server.ts'

/** Listens until the test is over, without calls. */
async function startBareServer() {
  const env = parseEnv({})
  const server = await createServer({
    securityLog: { record: () => undefined },
    env,
    logger: pino({ level: 'silent' }),
    originRule: createOriginRule(env),
    resolveSession: async () => null,
    redis: null,
  })
  onTestFinished(() => closeServer(server))
  const listen = async () => {
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    return Number(new URL(address).port)
  }
  return { server, listen }
}

describe('a request that stalls', () => {
  it('16.3 ends when it is not complete in time', async () => {
    expect(limits.httpRequestMs).toBe(30_000)
    const { server, listen } = await startBareServer()
    const port = await listen()
    const httpServer = server.server
    expect(httpServer.requestTimeout).toBe(limits.httpRequestMs)
    // A longer one would be exchanged with the other, and a body would have that time.
    expect(httpServer.headersTimeout).toBeLessThanOrEqual(limits.httpRequestMs)
    httpServer.requestTimeout = 500
    httpServer.headersTimeout = 500
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(
      'POST /nothing HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    )
    await once(socket, 'close')
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 408 /)
  })

  it('17.114 ends where its client does not read the answer', async () => {
    expect(limits.httpStallMs).toBe(60_000)
    const { server, listen } = await startBareServer()
    server.get('/large', async () => Buffer.alloc(64 * 1024 * 1024))
    const port = await listen()
    expect(server.server.timeout).toBe(limits.httpStallMs)
    server.server.timeout = 300
    const ended = new Promise((resolve) =>
      server.server.once('connection', (socket) => socket.once('close', resolve)),
    )
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
    await ended
  })
})
