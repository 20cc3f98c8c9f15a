import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket as TcpSocket } from 'node:net'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { type Socket as ClientSocket, io as connectTo } from 'socket.io-client'
import { afterEach, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { RoomServer } from '../room-sockets.ts'
import { writeDirectly } from './direct-writes.ts'
import { serverLimits } from '../../server-limits.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A server in whose room everybody is; `server.emit` is not typed here, the names of the events do not matter. */
async function startServer(now?: () => number) {
  const httpServer = createServer()
  const io = new Server(httpServer, { transports: ['websocket', 'polling'], perMessageDeflate: false })
  writeDirectly(io as unknown as RoomServer, pino({ level: 'silent' }), now)
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

/** Connects a client that then reads nothing. */
async function connectUnread(port: number): Promise<void> {
  const raw = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
  closers.push(() => raw.terminate())
  await once(raw, 'message')
  raw.send('40')
  await once(raw, 'message')
  raw.pause()
}

it('16.71 a client that does not read is disconnected before its backlog grows', async () => {
  const { io, port } = await startServer()
  await connectUnread(port)
  const { heard } = await connect(port, ['websocket'])
  const bulk = 'x'.repeat(100_000)
  let sentBytes = 0
  while (io.sockets.sockets.size > 1 && sentBytes < 100 * serverLimits.socketBacklogMaxBytes) {
    io.to('room').emit('bulk', bulk)
    sentBytes += bulk.length
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(io.sockets.sockets.size).toBe(1)
  // The rest is in the buffers of the two sockets' systems.
  expect(sentBytes).toBeLessThan(8 * serverLimits.socketBacklogMaxBytes)
  io.to('room').emit('after', 1)
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(['after', 1]))
})

it('16.242 what the library keeps for a client that does not read is bounded, too', async () => {
  const { io, port } = await startServer()
  await connectUnread(port)
  const [socket] = io.sockets.sockets.values()
  const tcp = Reflect.get(
    Reflect.get(socket?.conn.transport ?? {}, 'socket') as object,
    '_socket',
  ) as TcpSocket
  const bulk = 'x'.repeat(100_000)
  while (tcp.writableLength < 2 * bulk.length) {
    io.to('room').emit('bulk', bulk)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  // The bytes of the first wait in the TCP socket, and those of the second in the library, as a second ping would.
  for (const name of ['first', 'second']) socket?.emit(name, Buffer.from('bytes'))
  const unsentBytes = tcp.writableLength
  for (let sent = 0; sent < 50; sent += 1) io.to('room').emit('bulk', bulk)
  expect(tcp.writableLength - unsentBytes).toBeLessThan(bulk.length)
  expect(io.sockets.sockets.size).toBe(0)
})

/** A client of the polling transport in the room that sends by hand. */
async function openPolling(port: number) {
  const url = `http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`
  const opening = await (await fetch(url)).text()
  const { sid } = JSON.parse(opening.slice(1)) as { sid: string }
  const client = {
    /** Resolves to the status; null where the connection ends meanwhile. */
    send: async (body: string): Promise<number | null> => {
      const answer = await fetch(`${url}&sid=${sid}`, { method: 'POST', body }).catch(() => null)
      return answer?.status ?? null
    },
    poll: async () => await (await fetch(`${url}&sid=${sid}`)).text(),
  }
  expect(await client.send('40')).toBe(200)
  expect(await client.poll()).toContain('40{')
  return client
}

it('16.242 a client of the polling transport that never polls is disconnected before its backlog grows', async () => {
  const { io, port } = await startServer()
  const { send, poll } = await openPolling(port)
  const bulk = 'x'.repeat(100_000)
  const bulks = Math.floor(serverLimits.socketBacklogMaxBytes / bulk.length) - 1
  for (let sent = 0; sent < bulks; sent += 1) io.to('room').emit('bulk', bulk)
  expect(await send('3')).toBe(200)
  expect((await poll()).length).toBeGreaterThan(bulks * bulk.length)
  for (let sent = 0; sent < bulks; sent += 1) io.to('room').emit('bulk', bulk)
  expect(io.sockets.sockets.size).toBe(1)
  for (let sent = 0; sent < 3; sent += 1) io.to('room').emit('bulk', bulk)
  expect(io.sockets.sockets.size).toBe(0)
  expect(await send('3')).toBe(400)
})

it('16.242 a client that answers pings and fetches nothing is disconnected after 45 s', async () => {
  let nowMs = 0
  const { io, port } = await startServer(() => nowMs)
  const [{ send }, reader] = [await openPolling(port), await openPolling(port)]
  for (const seconds of [0, 20, 40]) {
    nowMs = seconds * 1_000
    io.to('room').emit('number', seconds)
    expect(await reader.poll()).toContain('number')
    expect([await send('3'), await reader.send('3')]).toEqual([200, 200])
  }
  nowMs = 46_000
  await send('3')
  expect(await send('3')).toBe(400)
  expect(await reader.send('3')).toBe(200)
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
