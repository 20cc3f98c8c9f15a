import { EventEmitter } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { limits } from '@earshot/core/limits'
import { expect, it } from 'vitest'
import { startApp } from '../../test/apps.ts'
import { createPacketLimit } from './packet-limit.ts'

const { points, perMs } = limits.rates.packets

it('16.113 a connection that sends as many packets as allowed, second by second, stays open', () => {
  const connection = Object.assign(new EventEmitter(), { request: new IncomingMessage(new Socket()) })
  let nowMs = 5_000
  let cutOffs = 0
  const limitPackets = createPacketLimit(
    () => (cutOffs += 1),
    () => nowMs,
  )
  limitPackets(connection)
  const send = (count: number): void => {
    for (let sent = 0; sent < count; sent += 1) connection.emit('packet')
  }
  send(points)
  nowMs += perMs
  send(points)
  expect(cutOffs).toBe(0)
  send(10)
  expect(cutOffs).toBe(1)
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
