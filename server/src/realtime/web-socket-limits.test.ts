import { once } from 'node:events'
import { expect, it } from 'vitest'
import { shareApp } from '../../test/apps.ts'
import { openRawWebSocket } from '../../test/raw-web-socket.ts'

const app = shareApp()

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
  const fits = await openRawWebSocket(app.address)
  fits.write(inFragments(connectPacket(32)))
  const answer: Buffer[] = []
  fits.on('data', (data: Buffer) => answer.push(data))
  await expect.poll(() => Buffer.concat(answer).toString()).toContain('44{')
  const exceeds = await openRawWebSocket(app.address)
  exceeds.write(inFragments(connectPacket(33)))
  const closing = 0x88
  const [close] = (await once(exceeds, 'data')) as [Buffer]
  expect([close[0], close.readUInt16BE(2)]).toEqual([closing, 1008])
})
