import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startApp } from '../../test/apps.ts'

const host = 'Host: localhost\r\n'

it('15.85, 16.127 a request that is not valid HTTP is refused in the documented shape', async () => {
  const app = await startApp()
  const port = Number(new URL(app.address).port)
  const send = async (request: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.write(request)
    await once(socket, 'close')
    return Buffer.concat(chunks).toString()
  }
  const chunked = `POST /api/rooms HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n`
  for (const request of [
    'GET / HTTP/9.9\r\n\r\n',
    `FOO / HTTP/1.1\r\n${host}\r\n`,
    `${chunked}\r\nZZ\r\n`,
    `${chunked}Content-Length: 5\r\n\r\n0\r\n\r\n`,
  ]) {
    const answer = await send(request)
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    expect(answer).toContain('\r\nX-Content-Type-Options: nosniff\r\n')
    expect(answer).toContain(
      '\r\n\r\n{"error":{"code":"invalid_input","message":"The request is not valid HTTP"}}',
    )
  }
  for (const hosts of ['', `${host}Host: example.org\r\n`]) {
    const answer = await send(`GET /livez HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    expect(answer).toContain(
      '{"error":{"code":"invalid_input","message":"The request needs one Host header"}}',
    )
  }
  expect(await send('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
  const expecting = await send(`GET /livez HTTP/1.1\r\n${host}Expect: more\r\nConnection: close\r\n\r\n`)
  expect(expecting).toMatch(/^HTTP\/1.1 200 [^]*\r\nx-content-type-options: nosniff\r\n/)
  const large = await send(`GET / HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`)
  expect(large).toMatch(/^HTTP\/1.1 431 /)
  expect(large).toContain('{"error":{"code":"payload_too_large"')
})
