import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { startBareServer } from '../../test/bare-server.ts'
import { closeServer } from './close-server.ts'

const request = 'GET /call HTTP/1.1\r\nhost: x\r\n\r\n'

it('15.73 requests that have arrived when the server closes are answered, though it has not read them', async () => {
  const { server, open } = await startBareServer((it) => it.get('/call', async () => 'answered'))
  const sockets = await Promise.all(Array.from({ length: 50 }, open))
  const answers = sockets.map((socket) => text(socket).catch(String))
  for (const socket of sockets) socket.write(request)
  await closeServer(server)
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 (200|503) /)
})

it('15.73 a call that takes longer than a second is still answered; a stream that has begun is cut off', async () => {
  const addCalls: Parameters<typeof startBareServer>[0] = (it) => {
    it.get('/call', async () => {
      await delay(1_500)
      return 'answered'
    })
    it.get('/stream', (_request, reply) => {
      reply.hijack()
      reply.raw.write('begun')
    })
  }
  // Repeated where a busy machine stalls: a stream that holds up the close does so each time.
  await vi.waitFor(async () => {
    const { server, open } = await startBareServer(addCalls)
    const [call, stream] = await Promise.all([open(), open()])
    const answer = text(call)
    call.write(request)
    stream.write(request.replace('call', 'stream'))
    await once(stream, 'data')
    const startedAtMs = performance.now()
    await closeServer(server)
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*answered$/)
    expect(performance.now() - startedAtMs).toBeLessThan(3_500)
  })
})

it('15.85 what arrives while the server closes is refused with the security headers, in the documented shape', async () => {
  const begun = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const { server, open } = await startBareServer((it) => {
    it.get('/call', async () => {
      begun.resolve()
      await ended.promise
      return 'answered'
    })
    it.addHook('preClose', async () => closing.resolve())
  })
  const socket = await open()
  const answers = text(socket)
  socket.write(request)
  await begun.promise
  const closed = closeServer(server)
  await closing.promise
  socket.write(request)
  await once(server.server, 'request')
  ended.resolve()
  await closed
  const [, refusal] = (await answers).split('answered')
  expect(refusal).toMatch(/^HTTP\/1\.1 503 /)
  expect(refusal).toMatch(
    /\r\nx-content-type-options: nosniff\r\n[^]*\r\n\r\n{"error":{"code":"unavailable",/,
  )
})
