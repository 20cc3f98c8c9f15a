import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { parseEnv } from '../env.ts'
import { closeServer } from './close-server.ts'
import { createOriginRule } from './origin.ts'
import { createServer } from './server.ts'

async function startServer(addRoutes: (server: FastifyInstance) => void) {
  const env = parseEnv({})
  const server = await createServer({
    securityLog: { record: () => undefined },
    env,
    logger: pino({ level: 'silent' }),
    originRule: createOriginRule(env),
    resolveSession: async () => null,
    redis: null,
  })
  addRoutes(server)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  return { server, open }
}

const request = 'GET /call HTTP/1.1\r\nhost: x\r\n\r\n'

it('15.73 requests that have arrived when the server closes are answered, though it has not read them', async () => {
  const { server, open } = await startServer((it) => it.get('/call', async () => 'answered'))
  const sockets = await Promise.all(Array.from({ length: 50 }, open))
  const answers = sockets.map((socket) => text(socket).catch(String))
  for (const socket of sockets) socket.write(request)
  await closeServer(server)
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 (200|503) /)
})

it('15.73 a call that takes longer than a second is still answered; a stream that has begun is cut off', async () => {
  const { server, open } = await startServer((it) => {
    it.get('/call', async () => {
      await delay(1_500)
      return 'answered'
    })
    it.get('/stream', (_request, reply) => {
      reply.hijack()
      reply.raw.write('begun')
    })
  })
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
