import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket as TcpSocket } from 'node:net'
import { limits } from '@earshot/core/limits'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { type Socket as ClientSocket, io as connectTo } from 'socket.io-client'
import { afterEach, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { RoomServer } from './room-sockets.ts'
import { writeDirectly } from './direct-writes.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A server in whose room everybody is; `server.emit` is not typed here, the names of the events do not matter. */
async function startServer() {
  const httpServer = createServer()
  const io = new Server(httpServer, { transports: ['websocket', 'polling'], perMessageDeflate: false })
  writeDirectly(io as unknown as RoomServer, pino({ level: 'silent' }))
  io.on('connection', (socket) => {
    void socket.join('room')
    socket.on('ask', (value: unknown, answer: (value: unknown) => void) => answer(value))
  })
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  closers.push(() => io.close())
  const { port } = httpServer.address() as AddressInfo
  return { io, port }
}

async function connect(
  port: number,
  transports: string[],
): Promise<{ client: ClientSocket; heard: [string, unknown][] }> {
  const client = connectTo(`http://127.0.0.1:${port}`, { transports, forceNew: true, reconnection: false })
  closers.push(() => void client.close())
  const heard: [string, unknown][] = []
  client.onAny((name: string, value: unknown) => heard.push([name, value]))
  await new Promise<void>((resolve) => client.once('connect', resolve))
  return { client, heard }
}

/** Counts what is written to a TCP socket from now on: one buffer, or several in one system call. */
function watchWrites(tcp: TcpSocket): () => number {
  const methods = tcp as unknown as Record<'_write' | '_writev', () => void>
  const spies = (['_write', '_writev'] as const).map((method) => vi.spyOn(methods, method))
  return () => spies.flatMap(({ mock }) => mock.calls).length
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

it('16.70 all broadcasts of a tick reach a connection in one write, past the transport', async () => {
  const { io, port } = await startServer()
  const { heard } = await connect(port, ['websocket'])
  const [socket] = await io.fetchSockets()
  const { conn } = io.sockets.sockets.get(socket?.id ?? '') ?? {}
  const tcp = Reflect.get(Reflect.get(conn?.transport ?? {}, 'socket') as object, '_socket') as TcpSocket
  const countWrites = watchWrites(tcp)
  const flushes = vi.fn<() => void>()
  conn?.on('flush', flushes)
  for (const number of numbers(3)) io.to('room').emit('number', number)
  await vi.waitFor(() => expect(heard).toEqual(numbers(3).map((number) => ['number', number])))
  expect(countWrites()).toBe(1)
  expect(flushes).not.toHaveBeenCalled()
})

it('16.70 broadcasts, events to one socket and answers keep their order', async () => {
  const { io, port } = await startServer()
  const { client, heard } = await connect(port, ['websocket'])
  const [socket] = [...io.sockets.sockets.values()]
  const answers = numbers(20).map((number) => client.emitWithAck('ask', number))
  for (const number of numbers(200)) {
    if (number % 3 === 0) socket?.emit('number', number)
    else io.to('room').emit('number', number)
    if (number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await vi.waitFor(() => expect(heard).toEqual(numbers(200).map((number) => ['number', number])))
  expect(await Promise.all(answers)).toEqual(numbers(20))
})

it.each([[['polling']], [['polling', 'websocket']]])(
  '16.70 a client that begins with %j misses nothing',
  async (transports) => {
    const { io, port } = await startServer()
    const { heard } = await connect(port, transports)
    for (const number of numbers(300)) {
      io.to('room').emit('number', number)
      if (number % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await vi.waitFor(() => expect(heard).toEqual(numbers(300).map((number) => ['number', number])))
  },
)

it('16.71 a client that does not read is disconnected before its backlog grows', async () => {
  const { io, port } = await startServer()
  const raw = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
  closers.push(() => raw.terminate())
  await once(raw, 'message')
  raw.send('40')
  await once(raw, 'message')
  raw.pause()
  const { heard } = await connect(port, ['websocket'])
  const bulk = 'x'.repeat(100_000)
  let sentBytes = 0
  while (io.sockets.sockets.size > 1 && sentBytes < 100 * limits.socketBacklogMaxBytes) {
    io.to('room').emit('bulk', bulk)
    sentBytes += bulk.length
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(io.sockets.sockets.size).toBe(1)
  io.to('room').emit('after', 1)
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(['after', 1]))
})

it.each([0, 125, 126, 127, 65_535, 65_536, 200_000])(
  '16.70 a message of %i characters arrives as it was sent, by itself and as an answer',
  async (length) => {
    const { io, port } = await startServer()
    const { client, heard } = await connect(port, ['websocket'])
    const text = 'ä'.repeat(length)
    for (const each of [text, 'x'.repeat(length)]) expect(await client.emitWithAck('ask', each)).toBe(each)
    const [socket] = io.sockets.sockets.values()
    socket?.emit('text', text)
    await vi.waitFor(() => expect(heard).toEqual([['text', text]]))
  },
)

it('16.70 an answer is written at once, with the broadcasts that wait, and binary data keeps its place', async () => {
  const { io, port } = await startServer()
  const { heard } = await connect(port, ['websocket'])
  const [socket] = io.sockets.sockets.values()
  const tcp = Reflect.get(
    Reflect.get(socket?.conn.transport ?? {}, 'socket') as object,
    '_socket',
  ) as TcpSocket
  const countWrites = watchWrites(tcp)
  io.to('room').emit('number', 1)
  io.to('room').emit('number', 2)
  socket?.emit('number', 3)
  expect(countWrites()).toBe(1)
  io.to('room').emit('number', 4)
  socket?.emit('bytes', Buffer.from('five'))
  io.to('room').emit('number', 6)
  socket?.emit('number', 7)
  await vi.waitFor(() => expect(heard).toHaveLength(7))
  expect(heard.map(([name, value]) => (name === 'bytes' ? String(value) : value))).toEqual([
    1,
    2,
    3,
    4,
    'five',
    6,
    7,
  ])
})

it('16.70 broadcasts of the tick in which a connection ends arrive before its end', async () => {
  const { io, port } = await startServer()
  const { client, heard } = await connect(port, ['websocket'])
  const ended = new Promise((resolve) => client.once('disconnect', resolve))
  io.to('room').emit('number', 1)
  for (const socket of io.sockets.sockets.values()) socket.disconnect(true)
  expect(await ended).toBe('io server disconnect')
  expect(heard).toEqual([['number', 1]])
})
