import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../server/src/clock/server-clock.ts'
import { calmPath } from './delay-line.ts'
import { calm, startTcpProxy, type TcpProxy, type TcpProxyOptions } from './tcp-proxy.ts'

const toClose: (() => unknown)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

/** A server that does `serve` with each connection, and a proxy before it. */
async function openPath(
  serve: (socket: Socket) => void,
  options: Partial<TcpProxyOptions> = {},
): Promise<TcpProxy> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    toClose.push(() => socket.destroy())
    socket.on('error', () => undefined)
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const proxy = await startTcpProxy({ clock: systemClock, targetPort: address.port, seed: 1, ...options })
  toClose.push(() => proxy.close())
  return proxy
}

async function dial(proxy: TcpProxy): Promise<Socket> {
  const socket = connect({ port: Number(new URL(proxy.origin).port), host: '127.0.0.1' })
  socket.on('error', () => undefined)
  toClose.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a TCP proxy', () => {
  it('carries megabytes there and back, whole and in order, and both ends', async () => {
    const jittery = { ...calmPath, delayMs: 4, jitterMs: 4 }
    const proxy = await openPath((socket) => socket.pipe(socket), {
      conditions: { up: jittery, down: jittery },
    })
    const socket = await dial(proxy)
    const sent = randomBytes(9 * 1024 * 1024)
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    socket.end(sent)
    await once(socket, 'close')
    expect(digest(Buffer.concat(received))).toBe(digest(sent))
  })

  it('holds back by its clock, in each direction as it was told', async () => {
    const clock = createFakeClock(0)
    const conditions = { up: { ...calmPath, delayMs: 20 }, down: { ...calmPath, delayMs: 180 } }
    const arrived = Promise.withResolvers<void>()
    const proxy = await openPath(
      (socket) =>
        socket.once('data', () => {
          arrived.resolve()
          socket.write('answer')
        }),
      { clock, conditions },
    )
    const socket = await dial(proxy)
    const answer = once(socket, 'data')
    socket.write('question')
    await untilPending(clock)
    clock.advance(20)
    await arrived.promise
    await untilPending(clock)
    clock.advance(179)
    expect(socket.bytesRead).toBe(0)
    clock.advance(1)
    expect(String((await answer)[0])).toBe('answer')
  })

  it('breaks what is there and refuses what comes while it is unreachable', async () => {
    const proxy = await openPath((socket) => socket.pipe(socket), { conditions: calm })
    const socket = await dial(proxy)
    socket.write('x')
    await once(socket, 'data')
    const closed = closing(socket)
    proxy.setReachable(false)
    await closed
    const refused = connect({ port: Number(new URL(proxy.origin).port), host: '127.0.0.1' })
    refused.on('error', () => undefined)
    await closing(refused)
    proxy.setReachable(true)
    const again = await dial(proxy)
    again.write('y')
    expect(String((await once(again, 'data'))[0])).toBe('y')
  })

  it('makes a sender wait whose receiver does not read', async () => {
    const proxy = await openPath(() => undefined, { conditions: calm })
    const socket = await dial(proxy)
    const megabyte = 1024 * 1024
    for (let sent = 0; sent < 64; sent += 1) socket.write(Buffer.alloc(megabyte))
    await untilSteady(() => socket.writableLength)
    expect(socket.writableLength).toBeGreaterThan(32 * megabyte)
  })
})

/** Resolves when it is closed, whether or not in peace. */
const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()))

/** Resolves when nothing has changed for many turns of the event loop. */
async function untilSteady(read: () => number): Promise<void> {
  const turns = 2_000
  let last = read()
  for (let same = 0; same < turns; same += 1) {
    await new Promise(setImmediate)
    if (read() !== last) same = 0
    last = read()
  }
}

/** Resolves when something waits for the clock. */
async function untilPending(clock: { readonly pending: number }): Promise<void> {
  while (clock.pending === 0) await new Promise(setImmediate)
}
