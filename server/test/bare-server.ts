import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { parseEnv } from '../src/env.ts'
import { closeServer } from '../src/http/close-server.ts'
import { createOriginRule } from '../src/http/origin.ts'
import { type ServerParts, createServer } from '../src/http/server.ts'

/** The HTTP server with the calls of a test and nothing else. */
export interface BareServer {
  server: FastifyInstance
  /** Connects to it. */
  open: () => Promise<Socket>
}

/** Listens until the test is over. */
export async function startBareServer(
  addCalls: (server: FastifyInstance) => void = () => {},
  options: Pick<ServerParts, 'requestRates'> = {},
): Promise<BareServer> {
  const env = parseEnv({})
  const server = await createServer({
    securityLog: { record: () => undefined },
    env,
    logger: pino({ level: 'silent' }),
    originRule: createOriginRule(env),
    resolveSession: async () => null,
    redis: null,
    ...options,
  })
  onTestFinished(() => closeServer(server))
  addCalls(server)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { server, open }
}
