import { EventEmitter, once } from 'node:events'
import { IncomingMessage, createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { countValues } from '@earshot/core/protocol/parse-input'
import { Server } from 'socket.io'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { startApp } from '../../test/apps.ts'
import { openRawWebSocket } from '../../test/raw-web-socket.ts'
import { createPacketLimit } from './packet-limit.ts'
import { serverLimits } from '../server-limits.ts'
import { otherRates } from '../limits/rates.ts'

const { points, perMs } = otherRates.packets

const emptyPing = Buffer.from([0x89, 0x80, 0, 0, 0, 0])

type EngineSocket = Parameters<ReturnType<typeof createPacketLimit>>[0]

/** A server that answers pings only where a packet limit does. */
async function startEngine() {
  const httpServer = createServer().listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  const io = new Server(httpServer, { transports: ['websocket'], perMessageDeflate: false })
  const { ws } = io.engine as unknown as { ws: { options: object } }
  Object.assign(ws.options, { autoPong: false })
  onTestFinished(() => io.close())
  return { io, address: `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}` }
}

/** A connection below a limit whose clock stands still until told. */
function openConnection() {
  const connection = Object.assign(new EventEmitter(), {
    request: new IncomingMessage(new Socket()),
    transport: {},
  })
  let nowMs = 5_000
  let cutOffs = 0
  const limitPackets = createPacketLimit(
    () => (cutOffs += 1),
    undefined,
    () => nowMs,
  )
  limitPackets(connection)
  return {
    send: (count: number, data = ''): void => {
      for (let sent = 0; sent < count; sent += 1) connection.emit('packet', { type: 'message', data })
    },
    wait: (forMs: number) => (nowMs += forMs),
    cutOffs: () => cutOffs,
  }
}

it('16.113 a connection that sends as many packets as allowed, second by second, stays open', () => {
  const { send, wait, cutOffs } = openConnection()
  send(points)
  wait(perMs)
  send(points)
  expect(cutOffs()).toBe(0)
  send(10)
  expect(cutOffs()).toBe(1)
})

it('15.93 a packet of more than 5,000 values ends its connection before it is parsed', async () => {
  expect(serverLimits.packetMaxValues).toBe(5_000)
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const { address } = await startApp()
  const url = `${address}/socket.io/?EIO=4&transport=polling`
  const openAndSend = async (body: string): Promise<number> => {
    const opening = await (await fetch(url)).text()
    const sid = /"sid":"([^"]+)"/.exec(opening)?.[1]
    const answer = await fetch(`${url}&sid=${sid}`, { method: 'POST', body })
    await answer.text()
    return (await fetch(`${url}&sid=${sid}`, { method: 'POST', body: '3' })).status
  }
  const listOf = (length: number): string => `42["echo",[${'1,'.repeat(length)}1]]`
  const isParsed = (length: number): boolean =>
    parse.mock.calls.some(([text]) => text === listOf(length).slice(2))
  expect(await openAndSend(listOf(4_900))).toBe(200)
  expect(isParsed(4_900)).toBe(true)
  expect(await openAndSend(listOf(5_000))).toBe(400)
  expect(isParsed(5_000)).toBe(false)
})

it('15.93 a connection may send 100,000 values a second', () => {
  const { send, cutOffs } = openConnection()
  const packet = `["echo",[${'1,'.repeat(900)}1]]`
  const most = Math.floor(otherRates.packetValues.points / countValues(packet))
  send(most, packet)
  expect(cutOffs()).toBe(0)
  send(2, packet)
  expect(cutOffs()).toBe(1)
})

it('16.113 a body of the polling transport with thousands of packets ends its connection', async () => {
  const { address } = await startApp()
  const url = `${address}/socket.io/?EIO=4&transport=polling`
  const opening = await (await fetch(url)).text()
  const { sid } = JSON.parse(opening.slice(1)) as { sid: string }
  const send = async (body: string): Promise<number> => {
    const answer = await fetch(`${url}&sid=${sid}`, { method: 'POST', body })
    await answer.text()
    return answer.status
  }
  expect(await send('3')).toBe(200)
  await send(Array.from({ length: 5 * points }, () => '40/nowhere,').join('\x1e'))
  expect(await send('3')).toBe(400)
})

it.each([
  ['pings', 0x89],
  ['pongs', 0x8a],
])('16.113 %s of the WebSocket protocol count too', async (_, kind) => {
  const { address } = await startApp()
  const socket = await openRawWebSocket(address)
  const ping = Buffer.from([0x89, 0x82, 0, 0, 0, 0, 0x68, 0x69])
  socket.write(ping)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer).toEqual(Buffer.from([0x8a, 2, 0x68, 0x69]))
  const frame = Buffer.from([kind, 0x80, 0, 0, 0, 0])
  socket.resume()
  socket.write(Buffer.concat(Array.from({ length: 5 * points }, () => frame)))
  await once(socket, 'close')
  // Long before the 10 s in which it would have to sign in.
  expect(socket.bytesRead).toBeLessThan(5 * points * 2)
})

it('16.241 a connection that sends more than ten pings of the WebSocket protocol in a second is closed', async () => {
  expect(otherRates.pings).toEqual({ points: 10, perMs: 1_000 })
  const { address } = await startApp()
  const socket = await openRawWebSocket(address)
  const answers: Buffer[] = []
  socket.on('data', (data: Buffer) => answers.push(data))
  socket.write(Buffer.concat(Array.from({ length: 200 }, () => emptyPing)))
  await once(socket, 'close')
  const pongs = Buffer.concat(answers).filter((byte) => byte === 0x8a)
  // They may fall into two windows.
  expect(pongs.length).toBeLessThanOrEqual(2 * otherRates.pings.points)
})

it('16.241 pings are not answered while a client reads nothing: no more than 64 kB waits for it', async () => {
  expect(serverLimits.pongBacklogMaxBytes).toBe(64 * 1024)
  let nowMs = 0
  // Each ping comes in a second of its own.
  const limitPackets = createPacketLimit(
    () => undefined,
    undefined,
    () => (nowMs += perMs),
  )
  const { io, address } = await startEngine()
  const opened = once(io.engine, 'connection') as Promise<[EngineSocket]>
  io.engine.on('connection', limitPackets)
  const client = await openRawWebSocket(address)
  client.pause()
  const [{ transport }] = await opened
  const socket = Reflect.get(transport, 'socket') as WebSocket
  // More than the systems of both ends hold.
  for (let sent = 0; sent < 20; sent += 1) socket.send('x'.repeat(1_000_000))
  const pongs = vi.spyOn(socket, 'pong')
  const pings = vi.fn<() => void>()
  socket.on('ping', pings)
  client.write(Buffer.concat(Array.from({ length: 100 }, () => emptyPing)))
  await vi.waitFor(() => expect(pings).toHaveBeenCalledTimes(100))
  expect(socket.bufferedAmount).toBeGreaterThan(serverLimits.pongBacklogMaxBytes)
  expect(pongs).not.toHaveBeenCalled()
  client.resume()
  await vi.waitFor(() => expect(socket.bufferedAmount).toBe(0))
  let answer = 0
  client.on('data', (data: Buffer) => (answer = data.at(-2) ?? 0))
  client.write(emptyPing)
  await vi.waitFor(() => expect(answer).toBe(0x8a))
})

it.each([
  ['an event that announces binary data', '451-["echo",{"_placeholder":true,"num":0}]'],
  ['an answer that does', '461-1[{"_placeholder":true,"num":0}]'],
  ['binary data', `b${Buffer.alloc(100_000).toString('base64')}`],
])('16.243 %s ends the connection, before it has signed in too', async (_, packet) => {
  const { address } = await startApp()
  const url = `${address}/socket.io/?EIO=4&transport=polling`
  const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1)) as { sid: string }
  const send = async (body: string): Promise<number | undefined> =>
    (await fetch(`${url}&sid=${sid}`, { method: 'POST', body }).catch(() => null))?.status
  expect(await send('3')).toBe(200)
  await send(packet)
  expect(await send('3')).toBe(400)
})

it('16.243 a text that begins like binary data is none', () => {
  const { send, cutOffs } = openConnection()
  for (const data of ['40', '42["echo",5]', '3', '']) send(1, data)
  expect(cutOffs()).toBe(0)
})
