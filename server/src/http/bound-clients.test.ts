import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { shareApp } from '../../test/apps.ts'

const app = shareApp()

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // It may be reset while chunks are under way.
  socket.on('error', () => undefined)
  socket.resume()
  await once(socket, 'connect')
  return socket
}

it('15.101 a server cuts off a body of more than 1,000 chunks', async () => {
  const socket = await open()
  const { host, origin } = new URL(app.address)
  socket.write(`POST /api/auth/sign-in/email HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\n`)
  socket.write('content-type: application/json\r\n')
  socket.write(`transfer-encoding: chunked\r\n\r\n${'1\r\n"\r\n'.repeat(1_500)}`)
  await once(socket, 'close')
  const other = await open()
  other.write('GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(String(await once(other, 'data'))).toMatch(/^HTTP\/1.1 200 /)
})
