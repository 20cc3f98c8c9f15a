import type { IncomingMessage } from 'node:http'
import { expect, it, vi } from 'vitest'
import { startBareServer } from '../../test/bare-server.ts'
import { limitChunks } from './client-limits.ts'

/** Sends a body of one-byte chunks. Resolves to the answer and to how many chunks reached the request. */
async function sendChunks(count: number) {
  const onTooMany = vi.fn<(request: IncomingMessage) => void>()
  let received = 0
  const { server, open } = await startBareServer((it) => {
    it.addHook('preParsing', (request, _reply, payload, done) => {
      request.raw.on('data', () => (received += 1))
      done(null, payload)
    })
    it.post('/body', async ({ body }) => `length ${JSON.stringify(body).length}`)
  })
  limitChunks(server.server, onTooMany)
  const socket = await open()
  // It may be reset while chunks are under way.
  socket.on('error', () => undefined)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const head = 'POST /body HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n'
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
  socket.write(`1\r\n"\r\n${'1\r\nx\r\n'.repeat(count - 2)}1\r\n"\r\n0\r\n\r\n`)
  await new Promise((resolve) => socket.once('close', resolve))
  return { answer: Buffer.concat(chunks).toString(), received, onTooMany }
}

it('15.101 a body of 1,000 chunks is read', async () => {
  const { answer, onTooMany } = await sendChunks(1_000)
  expect(answer).toMatch(/^HTTP\/1.1 200 .*length 1000$/s)
  expect(onTooMany).not.toHaveBeenCalled()
})

it('15.101 a body of more chunks ends its connection, and those behind the limit reach nobody', async () => {
  const { answer, received, onTooMany } = await sendChunks(60_000)
  expect(answer).toBe('')
  expect(received).toBeLessThanOrEqual(1_000)
  expect(onTooMany).toHaveBeenCalledOnce()
})
