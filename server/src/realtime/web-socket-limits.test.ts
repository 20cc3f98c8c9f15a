import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { shareApp } from '../../test/apps.ts'

const app = shareApp()

/** Opens a WebSocket below Socket.IO, before it has signed in. */
async function openWebSocket(address: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // It may be reset while some frames are under way.
  socket.on('error', () => undefined)
  const head = [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  return socket
}

const text = 1
const final = 0x80

/** A masked frame of one byte, or of a text of up to 125. */
function frame(data: string, kind: number): Buffer {
  return Buffer.concat([Buffer.from([kind, 0x80 | data.length, 0, 0, 0, 0]), Buffer.from(data)])
}

/** A message of one byte a frame. */
function inFragments(data: string): Buffer {
  const frames = Array.from(data, (byte, index) => {
    const isLast = index === data.length - 1
    return frame(byte, (index === 0 ? text : 0) | (isLast ? final : 0))
  })
  return Buffer.concat(frames)
}

/** A packet of Socket.IO that asks to connect, of a certain length. */
const connectPacket = (length: number): string => {
  const [start, end] = ['40{"a":"', '"}']
  return start + 'x'.repeat(length - start.length - end.length) + end
}

it('15.102 a message of 32 fragments is read, one of more ends its connection', async () => {
  const fits = await openWebSocket(app.address)
  fits.write(inFragments(connectPacket(32)))
  const answer: Buffer[] = []
  fits.on('data', (data: Buffer) => answer.push(data))
  await expect.poll(() => Buffer.concat(answer).toString()).toContain('44{')
  const exceeds = await openWebSocket(app.address)
  exceeds.write(inFragments(connectPacket(33)))
  const closing = 0x88
  const [close] = (await once(exceeds, 'data')) as [Buffer]
  expect([close[0], close.readUInt16BE(2)]).toEqual([closing, 1008])
})
