import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { shareApp } from '../../test/apps.ts'

const app = shareApp()

/** Sends a request to open a WebSocket that is refused; resolves to the answer. */
async function readRefusal(query: string, ...headers: string[]): Promise<string> {
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const lines = ['Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket', ...headers]
  socket.write(`GET /socket.io/?EIO=4&${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  return text(socket)
}

const version = 'Sec-WebSocket-Version: 13'
const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`
const named = /\r\nX-Content-Type-Options: nosniff\r\n/

it.each([
  ['of an unknown transport', 'transport=none', [version, key]],
  ['of another page', 'transport=websocket', [version, key, 'Origin: https://evil.example']],
  ['of an unknown connection', 'transport=websocket&sid=x', [version, key]],
  ['without a key', 'transport=websocket', [version]],
  ['of an unknown version', 'transport=websocket', ['Sec-WebSocket-Version: 99', key]],
])('15.85 a WebSocket %s is refused with nosniff', async (_name, query, headers) => {
  const answer = await readRefusal(query, ...headers)
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer).toMatch(named)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(Number(/Content-Length: (\d+)/i.exec(head)?.[1])).toBe(body.length)
})

it('15.85 a WebSocket that is opened is answered with nosniff, and what follows is not changed', async () => {
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const lines = ['Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket', version, key]
  socket.write(`GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  await vi.waitFor(() => expect(received).toContain('"pingInterval"'))
  const [head = '', frames] = received.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 101 [^]*\r\nX-Content-Type-Options: nosniff(\r\n|$)/)
  expect(frames).not.toContain('nosniff')
})
