import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { type Socket as ClientSocket, io as connectTo } from 'socket.io-client'
import { afterEach, expect, it } from 'vitest'
import { writeDirectly } from './direct-writes.ts'
import type { RoomServer, RoomSocket } from '../room-sockets.ts'
import { createSenderFirst, toRoomEvent } from '../sender-first.ts'
import { encodeSharedOnce, shareEncoding } from './shared-payloads.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A payload that counts how often it is encoded; longer than a frame with a short length, and not only ASCII. */
function countEncodings(length: number) {
  const value = { name: 'für Elise, дорогая', text: 'x'.repeat(length) }
  let encodings = 0
  const toJSON = (): object => {
    encodings += 1
    return value
  }
  return { payload: { toJSON }, value, encodings: () => encodings }
}

async function startServer(payload: object) {
  const httpServer = createServer()
  const server = new Server(httpServer, { transports: ['websocket', 'polling'], perMessageDeflate: false })
  const io = server as unknown as RoomServer
  encodeSharedOnce(io)
  writeDirectly(io, pino({ level: 'silent' }))
  const senderFirst = createSenderFirst(io)
  server.on('connection', (socket) => {
    void socket.join('room')
    socket.on('ask', (answer: (data: unknown) => void) => {
      server.to(socket.id).emit('before')
      answer({ ok: true, data: shareEncoding(payload) })
    })
    socket.on('change', (answer: (data: unknown) => void) => {
      const event = toRoomEvent('room', 'changed' as never, payload as never)
      senderFirst.send('room', [event], socket as unknown as RoomSocket)
      answer({ ok: true, data: null })
    })
  })
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  closers.push(() => server.close())
  const { port } = httpServer.address() as AddressInfo
  return async (transport: string): Promise<{ client: ClientSocket; heard: unknown[] }> => {
    const options = { transports: [transport], forceNew: true, reconnection: false }
    const client = connectTo(`http://127.0.0.1:${port}`, options)
    closers.push(() => void client.close())
    const heard: unknown[] = []
    client.onAny((name: string, value: unknown) => heard.push(value ?? name))
    await new Promise<void>((resolve) => client.once('connect', resolve))
    return { client, heard }
  }
}

it.each([10, 1_000, 100_000])(
  '16.299 answers with one payload of %d characters are encoded once, whatever the transport, and follow earlier events',
  async (length) => {
    const { payload, value, encodings } = countEncodings(length)
    const connect = await startServer(payload)
    const clients = await Promise.all(['websocket', 'websocket', 'polling', 'websocket'].map(connect))
    const answers = await Promise.all(
      clients.map(async ({ client, heard }) => {
        const answer: unknown = await client.emitWithAck('ask')
        return { answer, heard: [...heard] }
      }),
    )
    expect(answers).toEqual(clients.map(() => ({ answer: { ok: true, data: value }, heard: ['before'] })))
    expect(encodings()).toBe(1)
  },
)

it('16.299 a change is encoded once for its sender and all others', async () => {
  const { payload, value, encodings } = countEncodings(1_000)
  const connect = await startServer(payload)
  const [sender, other] = await Promise.all([connect('websocket'), connect('websocket')])
  const heardByOther = once(other.client as never, 'changed')
  await sender.client.emitWithAck('change')
  expect(sender.heard).toEqual([value])
  expect(await heardByOther).toEqual([value])
  expect(encodings()).toBe(1)
})
