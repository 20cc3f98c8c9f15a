import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createSessionKeys } from '../src/auth/session-key.ts'
import { parseEnv } from '../src/env/env.ts'
import { closeServer } from '../src/http/close-server.ts'
import { createOriginRule } from '../src/http/origin.ts'
import { type ServerParts, createServer } from '../src/http/server.ts'

/** Signs the cookies of sessions. */
export const secret = 'a secret of 32 characters at least'

/** The HTTP server with the calls of a test and nothing else. */
export interface BareServer {
  server: FastifyInstance
  /** Connects to it. */
  open: () => Promise<Socket>
}

/** Listens until the test is over. */
export async function startBareServer(
  addCalls: (server: FastifyInstance) => void = () => {},
  {
    variables = {},
    ...options
  }: Pick<ServerParts, 'requestRates'> & { variables?: Record<string, string> } = {},
): Promise<BareServer> {
  const env = parseEnv(variables)
  const server = await createServer({
    securityLog: { record: () => undefined },
    env,
    logger: pino({ level: 'silent' }),
    originRule: createOriginRule(env),
    resolveSession: async () => null,
    sessionKeyOf: createSessionKeys(secret),
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
