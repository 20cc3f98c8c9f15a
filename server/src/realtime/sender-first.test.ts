import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { type Socket as ClientSocket, io as connectTo } from 'socket.io-client'
import { afterEach, expect, it, vi } from 'vitest'
import type { RoomServer, RoomSocket } from './room-sockets.ts'
import { type RoomEvent, createSenderFirst } from './sender-first.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const toEvent = (number: number): RoomEvent => ({
  channel: 'room',
  emit: (to) => void to.emit('number' as never, ...([number] as never)),
})

/** A server that sends numbers to its room, the asking connection first; `written` notes what is written, in order. */
async function startServer() {
  const httpServer = createServer()
  const io = new Server(httpServer, { transports: ['websocket'], perMessageDeflate: false })
  const senderFirst = createSenderFirst(io as unknown as RoomServer)
  const written: string[] = []
  io.on('connection', (socket) => {
    void socket.join('room')
    const { name } = socket.handshake.auth
    const write = socket.conn.write.bind(socket.conn)
    socket.conn.write = (data, ...rest) => {
      const number = /\d+(?=\])/.exec(String(data))?.[0] ?? ''
      written.push(`${String(data).startsWith('3') ? 'answer' : 'event'} ${number} to ${String(name)}`)
      return write(data, ...rest)
    }
    socket.on('send', (numbers: number[], answer: (last: number) => void) => {
      for (const number of numbers) {
        senderFirst.send('room', [toEvent(number)], socket as unknown as RoomSocket)
      }
      answer(numbers.at(-1) ?? 0)
    })
    socket.on('send to all', (number: number) => senderFirst.send('room', [toEvent(number)], null))
  })
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  closers.push(() => io.close())
  const { port } = httpServer.address() as AddressInfo
  const connect = async (name: string): Promise<{ client: ClientSocket; heard: number[] }> => {
    const options = { transports: ['websocket'], auth: { name }, forceNew: true, reconnection: false }
    const client = connectTo(`http://127.0.0.1:${port}`, options)
    closers.push(() => void client.close())
    const heard: number[] = []
    client.on('number', (number: number) => heard.push(number))
    await once(client as never, 'connect')
    written.splice(0)
    return { client, heard }
  }
  return { written, connect }
}

it('16.80 the sender gets its own events, then its acknowledgement, then all others get the events', async () => {
  const { written, connect } = await startServer()
  const ann = await connect('ann')
  const ben = await connect('ben')
  await ann.client.emitWithAck('send', [7])
  await vi.waitFor(() => expect(ben.heard).toEqual([7]))
  expect(ann.heard).toEqual([7])
  expect(written).toEqual(['event 7 to ann', 'answer 7 to ann', 'event 7 to ben'])
})

it('16.80 changes of one room reach everybody in their order', async () => {
  const { connect } = await startServer()
  const ann = await connect('ann')
  const ben = await connect('ben')
  const cem = await connect('cem')
  ann.client.emit('send', [1, 2, 3], () => {})
  await vi.waitFor(() => expect(ben.heard).toEqual([1, 2, 3]))
  for (const number of [4, 6, 8, 10]) {
    ann.client.emit('send', [number, number + 1], () => {})
    ben.client.emit('send to all', 100 + number)
  }
  await vi.waitFor(() => {
    for (const { heard } of [ann, ben, cem]) expect(heard).toHaveLength(15)
  })
  expect(ann.heard).toEqual(cem.heard)
  expect(ben.heard).toEqual(cem.heard)
})
