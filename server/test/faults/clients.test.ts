import { setTimeout as delay } from 'node:timers/promises'
import { Socket as TcpSocket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { ask } from '../ask.ts'
import { connect } from '../sockets.ts'
import { startCluster } from './cluster.ts'
import { openLink } from './link.ts'
import { listen, spreadOfStarts, startPlaying } from './listeners.ts'

it('16.97 the network between clients and server is cut, then stalls: they come back on the same schedule, with every message', async () => {
  const cluster = await startCluster()
  const [first, second] = cluster.servers
  const owner = await cluster.signUp('owner')
  const roomId = await cluster.makeRoom(owner)
  const controls = await connect(first, owner)
  await controls.ask('join_room', { roomId })
  await startPlaying(controls, roomId)
  const link = await openLink(Number(new URL(second.address).port))
  const listeners = await Promise.all(
    Array.from({ length: 10 }, async (_, n) =>
      listen(`http://127.0.0.1:${link.port}`, await cluster.signUp(`far${n}`), roomId),
    ),
  )
  const backAgain = (): Promise<void> =>
    vi.waitFor(() => expect(listeners.every((each) => each.isThere())).toBe(true), { timeout: 15_000 })

  link.cut()
  await vi.waitFor(() => expect(listeners.some((each) => each.isThere())).toBe(false))
  const { message: missed } = await controls.ask('send_message', { roomId, message: 'during the cut' })
  link.restore()
  await backAgain()
  for (const { client } of listeners) {
    const { messages } = await client.ask('request_sync', { roomId })
    expect(messages?.map(({ id }) => id)).toContain(missed.id)
  }

  link.stall()
  const { message: held } = await controls.ask('send_message', { roomId, message: 'during the stall' })
  const asked = listeners[0]!.client.ask('send_message', { roomId, message: 'from behind' })
  await delay(4_000)
  link.restore()
  for (const { client } of listeners) await client.hear('message', (heard) => heard.message.id === held.id)
  const { message: answered } = await asked
  await controls.hear('message', (heard) => heard.message.id === answered.id)
  for (const { states, outagesMs } of listeners) {
    expect(spreadOfStarts(states)).toBeLessThan(1)
    expect(outagesMs).toHaveLength(1)
  }
})

it('16.98 nobody waits for clients that stop reading', async () => {
  const cluster = await startCluster()
  const [first, second] = cluster.servers
  const owner = await cluster.signUp('owner')
  const roomId = await cluster.makeRoom(owner)
  const writer = await connect(first, owner)
  await writer.ask('join_room', { roomId })
  const users = await Promise.all(Array.from({ length: 20 }, (_, n) => cluster.signUp(`reader${n}`)))
  const readers = await Promise.all(users.map(async (user) => connect(second, user)))
  for (const reader of readers) await reader.ask('join_room', { roomId })
  const [slow, quick] = [readers.slice(0, 5), readers.slice(5)]
  for (const { socket } of slow) pauseReading(socket.io.engine)

  const memoryOf = async (): Promise<number> => {
    const { text } = await ask(`${second.address}/metrics`)
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
  }
  const beforeBytes = await memoryOf()
  const text = 'x'.repeat(1_000)
  const sent: string[] = []
  for (let round = 0; round < 3; round++) {
    const burst = Array.from({ length: 5 }, () => writer.ask('send_message', { roomId, message: text }))
    for (const { message } of await Promise.all(burst)) sent.push(message.id)
    await delay(3_050)
  }
  for (const reader of quick) {
    await vi.waitFor(() => {
      const heard = new Set(reader.all('message').map(({ message }) => message.id))
      expect(sent.filter((id) => !heard.has(id))).toEqual([])
    })
  }
  expect(await memoryOf()).toBeLessThan(beforeBytes + 100 * 1024 * 1024)
})

/** Stops reading from the TCP connection of a client, as one that hangs. */
function pauseReading(engine: unknown): void {
  const found = findTcpSocket(engine, new Set())
  if (!found) throw new Error('The client has no TCP connection')
  found.pause()
}

function findTcpSocket(value: unknown, seen: Set<unknown>): TcpSocket | null {
  if (value instanceof TcpSocket) return value
  if (typeof value !== 'object' || value === null || seen.has(value)) return null
  seen.add(value)
  for (const name of ['transport', 'ws', '_socket', 'socket']) {
    const found = findTcpSocket(Reflect.get(value, name), seen)
    if (found) return found
  }
  return null
}
