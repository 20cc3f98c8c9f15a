import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { startBareServer } from '../../test/bare-server.ts'
import { serverLimits } from '../server-limits.ts'

describe('a request that stalls', () => {
  it('16.3 ends when it is not complete in time', async () => {
    expect(serverLimits.httpRequestMs).toBe(30_000)
    const { server, open } = await startBareServer()
    const httpServer = server.server
    expect(httpServer.requestTimeout).toBe(serverLimits.httpRequestMs)
    // A longer one would be exchanged with the other, and a body would have that time.
    expect(httpServer.headersTimeout).toBeLessThanOrEqual(serverLimits.httpRequestMs)
    httpServer.requestTimeout = 500
    httpServer.headersTimeout = 500
    const socket = await open()
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(
      'POST /nothing HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    )
    await once(socket, 'close')
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 408 /)
  })

  it('17.114 ends where its client does not read the answer', async () => {
    expect(serverLimits.httpStallMs).toBe(60_000)
    const { server, open } = await startBareServer((it) =>
      it.get('/large', async () => Buffer.alloc(64 * 1024 * 1024)),
    )
    expect(server.server.timeout).toBe(serverLimits.httpStallMs)
    server.server.timeout = 300
    const ended = new Promise((resolve) =>
      server.server.once('connection', (socket) => socket.once('close', resolve)),
    )
    const socket = await open()
    socket.pause()
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
    await ended
  })
})
